import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { detectLanguage, languageOfForm } from '../../src/highlight/languages/detect/detect-language.ts'
import { languages } from '../../src/highlight/languages/languages.ts'
import { repository } from '../support/process.ts'

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`

/** A text of each language that is to be detected, as somebody may paste it. */
const samples: Readonly<Record<string, string>> = {
  ansi: 'PASS \x1b[32mok\x1b[0m',
  log: lines(
    'Nov 23 10:00:01 nas sshd[812]: Accepted publickey for root',
    'Nov 23 10:00:02 nas sshd[812]: pam_unix(sshd:session): session opened',
    'Nov 23 10:00:09 nas systemd[1]: Started Daily apt download activities.',
  ),
  json: '{"name": "shortcrust", "private": true}',
  jsonl: lines('{"level":30,"msg":"listening"}', '{"level":50,"msg":"failed"}'),
  yaml: lines(
    'services:',
    '  web:',
    '    image: nginx:1',
    '    ports:',
    '      - "80:80"',
    '    restart: always',
  ),
  toml: lines(
    '[package]',
    'name = "demo"',
    'version = "0.1.0"',
    'edition = "2021"',
    '',
    '[dependencies]',
    'serde = "1"',
  ),
  ini: lines('[Desktop Entry]', 'Type=Application', 'Name=Files', 'Exec=nautilus %U'),
  xml: lines('<?xml version="1.0"?>', '<note><to>you</to></note>'),
  html: lines('<!doctype html>', '<title>x</title>'),
  css: lines(
    '.card {',
    '  margin: 0 auto;',
    '  color: #333;',
    '}',
    '',
    '.card a:hover {',
    '  color: red;',
    '}',
  ),
  diff: lines('--- a/x.c', '+++ b/x.c', '@@ -1,2 +1,2 @@', ' int x;', '-int y;', '+long y;'),
  docker: lines('FROM node:22', 'WORKDIR /app', 'COPY . .', 'RUN npm ci', 'CMD ["node", "main.js"]'),
  make: lines(
    'CC = gcc',
    'all: main.o',
    '\t$(CC) -o main main.o',
    '',
    '.PHONY: clean',
    'clean:',
    '\trm -f *.o main',
  ),
  csv: lines('id,name,age', '1,Ann,31', '2,Ben,28'),
  tsv: lines('id\tname', '1\tAnn', '2\tBen'),
  sql: lines('SELECT id, name FROM users', 'WHERE age > 30 AND name IS NOT NULL', 'ORDER BY name LIMIT 10;'),
  shellscript: lines(
    'set -e',
    'for file in *.txt; do',
    '  if [ -f "$file" ]; then',
    '    echo "$file"',
    '  fi',
    'done',
  ),
  python: lines(
    'import os',
    '',
    'def main(args):',
    '    for name in args:',
    '        print(os.path.join("a", name))',
  ),
  typescript: lines(
    'import type { Server } from "./server.ts"',
    'export const listen = async (server: Server, port: number): Promise<void> => {',
    '  await server.listen(port)',
    '}',
  ),
  javascript: lines(
    "'use strict';",
    "var fs = require('fs');",
    'module.exports = function read(name, callback) {',
    "  fs.readFile(name, 'utf8', function (error, text) {",
    '    if (error) return callback(error);',
    '    callback(null, text);',
    '  });',
    '};',
  ),
  go: lines('package main', '', 'import "fmt"', '', 'func main() {', '\tfmt.Println("hello")', '}'),
  rust: lines(
    'use std::fs;',
    '',
    'fn main() -> Result<(), String> {',
    '    let x = fs::read("a").unwrap();',
    '    Ok(())',
    '}',
  ),
  c: lines(
    '#include <stdio.h>',
    '#include <stdlib.h>',
    '',
    'static int count(const char *s)',
    '{',
    '\tint n = 0;',
    "\twhile (*s != '\\0')",
    '\t\tn += *s++ == 10;',
    '\tif (s == NULL)',
    '\t\treturn -1;',
    '\treturn n;',
    '}',
  ),
  cpp: lines(
    '#include <vector>',
    'namespace app {',
    'template <typename T> class Box {',
    'public:',
    '  explicit Box(const T& value) : value_(value) {}',
    '  std::vector<T> all() const { return {value_}; }',
    '};',
    '}',
  ),
  java: lines(
    'package a.b;',
    '',
    'public class Main {',
    '  public static void main(String[] args) {',
    '    System.out.println(args.length);',
    '  }',
    '}',
  ),
  php: '<?php echo 1;',
  ruby: lines(
    "require 'json'",
    'class Item',
    '  attr_reader :name',
    '  def initialize(name)',
    '    @name = name',
    '  end',
    'end',
  ),
  lua: lines(
    'local M = {}',
    'function M.add(a, b)',
    '  if a == nil then return b end',
    '  return a + b',
    'end',
    'return M',
  ),
  nix: lines(
    '{ pkgs ? import <nixpkgs> { } }:',
    'pkgs.mkShell {',
    '  buildInputs = with pkgs; [ bun git ];',
    '  shellHook = "";',
    '}',
  ),
  nginx: lines(
    'server {',
    '  listen 80;',
    '  server_name nas;',
    '  location / {',
    '    proxy_pass http://127.0.0.1:3000;',
    '  }',
    '}',
  ),
  systemd: lines('[Unit]', 'Description=Shortcrust', '', '[Service]', 'ExecStart=/usr/bin/shortcrust serve'),
  markdown: lines(
    '# Notes',
    '',
    'Some *words* and `code`.',
    '',
    '- one',
    '- [two](http://nas/)',
    '',
    '## More',
    '',
    '1. three',
  ),
}

describe('the detection', () => {
  test.each(Object.entries(samples))('finds %s by the content alone', (language, text) => {
    expect(detectLanguage(text)).toBe(language)
  })

  test('finds at least the languages of the list, and says only ids that can be rendered', async () => {
    const known = new Set(languages.map(({ id }) => id))
    expect(Object.keys(samples).filter((language) => !known.has(language))).toEqual([])
    const model = await Bun.file(join(repository, 'src/highlight/languages/detect/model.json')).json()
    expect(model.languages.length).toBeGreaterThan(30)
    expect(model.languages.filter((language: string) => !known.has(language))).toEqual([])
  })

  test.each([
    [
      'prose',
      'Dear all,\nthe meeting is on Monday, at ten, in the large room.\nBring the figures, please.\n',
    ],
    ['one word', 'hello'],
    ['nothing but blanks', ' \n\t\n '],
    ['an address', 'http://nas/p/abcdefghjk'],
    ['an empty list', '[]'],
    ['numbers', '1\n2\n3\n4\n'],
    ['a command and what it prints', "$ make\nmake: Nothing to be done for 'all'.\n"],
    ['a list of names', 'Ann\nBen\nCleo\nDan\n'],
    [
      'a list of files',
      'total 12\ndrwxr-xr-x 2 root root 4096 Nov 23 10:00 .\n-rw-r--r-- 1 root root 12 Nov 23 10:00 a.txt\n',
    ],
    [
      'free space',
      'Filesystem      Size  Used Avail Use% Mounted on\n/dev/vda        252G   13G   79G  15% /\ntmpfs 12G 0 12G 0% /run\n',
    ],
    [
      'a list with dashes',
      '- milk\n- eggs\n- bread and butter\n- something for the dog\n- a newspaper\n- tea\n',
    ],
    ['a line that several languages have', 'console.log("hi")\n'],
    [
      'a few lines that several languages have',
      'console.log("hi")\nconst a = await fetch("/x")\nconst b = a.json()\n',
    ],
    [
      'two lines of a language that it does not know',
      'using System;\nnamespace A { class P { static void Main(string[] args) { } } }\n',
    ],
    ['prose with a comma in each line', 'Well, yes\nThen, no\nLater, perhaps\nNow, never\n'],
  ])('says plain text of %s', (_, text) => {
    expect(detectLanguage(text)).toBe('text')
  })

  test('knows certificates and keys by their form, which have no colours', () => {
    const body = `${'MIIBszCCAVmgAwIBAgIUE+Jp'.repeat(2)}\n`.repeat(6)
    const pem = `-----BEGIN CERTIFICATE-----\n${body}-----END CERTIFICATE-----\n`
    expect(languageOfForm(pem)).toBe('text')
    expect(languageOfForm(pem.replaceAll('\n', '\r\n'))).toBe('text')
    expect(detectLanguage(pem)).toBe('text')
  })

  test('believes a name first, then the first line, then a line for an editor, then the content', () => {
    const { python = '' } = samples
    expect(detectLanguage(`#!/bin/sh\n# vim: ft=ruby\n${python}`, ['a.rs'])).toBe('rust')
    expect(detectLanguage(`#!/bin/sh\n# vim: ft=ruby\n${python}`, ['a'])).toBe('shellscript')
    expect(detectLanguage(`# vim: ft=ruby\n${python}`, [''])).toBe('ruby')
    expect(detectLanguage(python, ['A title.'])).toBe('python')
  })

  test('does not believe `.txt`, nor a name without an ending', () => {
    const { log = '', python = '' } = samples
    for (const name of ['out.txt', 'OUT.TXT', 'out', 'my out.txt']) {
      expect(detectLanguage(log, [name]), name).toBe('log')
      expect(detectLanguage(python, [name]), name).toBe('python')
      expect(detectLanguage('Dear all,\nsee you.\n', [name]), name).toBe('text')
    }
    expect(detectLanguage(log, ['out.txt', 'main.rs'])).toBe('rust')
  })

  test('believes a title of several words after a form, a first line and a line for an editor', () => {
    const { log = '', diff = '', javascript = '', markdown = '', python = '' } = samples
    const title = ['Error in app.js']
    expect(detectLanguage(log, title)).toBe('log')
    expect(detectLanguage(diff, title)).toBe('diff')
    expect(detectLanguage('#!/bin/sh\nx\n', title)).toBe('shellscript')
    expect(detectLanguage('x\n# vim: ft=ruby\n', title)).toBe('ruby')
    expect(detectLanguage(javascript, title)).toBe('javascript')
    expect(detectLanguage('app.start()\n', title)).toBe('javascript')
    const quoting = `${markdown}\n\`\`\`diff\n${diff}\`\`\`\n${'\nAnd more of it.\n'.repeat(6)}`
    for (const text of [markdown, quoting, 'Buy milk.\n', python])
      expect(detectLanguage(text, ['my notes.md'])).toBe('markdown')
  })

  test('knows comments and records in what is called JSON', () => {
    expect(detectLanguage('// a\n{"b":1}\n', ['settings.json'])).toBe('jsonc')
    expect(detectLanguage('{"a":1}\n{"a":2}\n', ['export.json'])).toBe('jsonl')
    for (const text of ['{"a":1}\n', '[]', 'x', '// a\n[1]'])
      expect(detectLanguage(text, ['a.json'])).toBe('json')
  })

  test('has one answer for line ends of Unix and of Windows, and for a byte order mark', () => {
    for (const [language, text] of Object.entries(samples)) {
      expect(detectLanguage(text.replaceAll('\n', '\r\n')), language).toBe(language)
      expect(detectLanguage(`\ufeff${text}`), language).toBe(language)
    }
  })

  test('reads no more than 64 KiB', () => {
    const { diff = '' } = samples
    expect(detectLanguage(`${'\n'.repeat(64 * 1024)}${diff}`)).toBe('text')
  })
})

describe('a line for an editor', () => {
  test.each([
    ['# vim: set ft=python :', 'python'],
    ['// vim: ft=cpp', 'cpp'],
    ['# vi: filetype=sh', 'shellscript'],
    ['/* ex: syntax=c */', 'c'],
    ['# -*- mode: ruby -*-', 'ruby'],
    ['# -*- ruby -*-', 'ruby'],
    [';; -*- coding: utf-8; mode: Common-Lisp; -*-', 'common-lisp'],
    ['// -*- C++ -*-', 'cpp'],
    ['# -*- coding: utf-8 -*-', 'text'],
    ['# vim: ft=nothing-that-exists', 'text'],
    ['# vim: ts=4', 'text'],
    ['the word vim:ft', 'text'],
  ])('%p says %s, at the beginning and at the end', (line, language) => {
    expect(detectLanguage(`${line}\nx\n`)).toBe(language)
    expect(detectLanguage(`${'x\n'.repeat(100)}${line}\n`)).toBe(language)
  })

  test('counts only among the first and the last five lines', () => {
    expect(detectLanguage(`${'x\n'.repeat(6)}# vim: ft=ruby\n${'x\n'.repeat(6)}`)).toBe('text')
  })

  test.each([
    ['#', ''],
    [';;;', ''],
    ['/*', ' */'],
    [' *', ''],
  ])('may be in a list of Emacs behind %p at the end', (before, after) => {
    const list = (mode: string) =>
      ['Local Variables:', 'fill-column: 79', `mode: ${mode}`, 'End:'].map(
        (line) => `${before} ${line}${after}\n`,
      )
    expect(detectLanguage(`x\n${list('ruby').join('')}`)).toBe('ruby')
    expect(detectLanguage(`x\n\f\n${list('Python').join('')}${'x\n'.repeat(30)}`)).toBe('python')
    expect(detectLanguage(`x\r\n${list('ruby').join('').replaceAll('\n', '\r\n')}`)).toBe('ruby')
    expect(detectLanguage(`x\n${list('no-such-mode').join('')}`)).toBe('text')
    expect(detectLanguage(`x\n${list('ruby').slice(0, 3).join('')}`)).toBe('text')
    expect(detectLanguage(`${list('ruby').join('')}${'x'.repeat(3000)}\n`)).not.toBe('ruby')
  })

  test('in a list of Emacs has the same sign before it as the list', () => {
    expect(detectLanguage('# Local Variables:\nmode: ruby\n# End:\n')).toBe('text')
  })
})

describe('the detection of JSON', () => {
  const record = (chars: number) => JSON.stringify({ text: 'a'.repeat(chars), list: [1, 2] })

  test.each([
    ['a list on one line', JSON.stringify(Array.from({ length: 9000 }, (_, id) => ({ id, ok: true })))],
    ['a list with a line for each member', JSON.stringify(Array.from({ length: 30_000 }, String), null, 2)],
    ['one long string', record(200_000)],
  ])('needs only the beginning of a text over 64 KiB: %s', (_, text) => {
    expect(text.length).toBeGreaterThan(100_000)
    expect(detectLanguage(text)).toBe('json')
    expect(detectLanguage(`${text}\n`)).toBe('json')
    expect(detectLanguage(`${text.slice(0, 5000)} x ${text.slice(5000).replaceAll('"', "'")}`)).not.toBe(
      'jsonl',
    )
  })

  test.each([10, 10_000, 20_000, 40_000, 70_000, 200_000])('knows JSON lines of %d characters', (chars) => {
    const line = `${record(chars)}\n`
    expect(detectLanguage(line)).toBe('json')
    for (const text of [
      line + line,
      line.repeat(5),
      `{"a":1}\n${line}`,
      `${line}{"a":1}`,
      `\n${line}\r\n${line}`,
    ])
      expect(detectLanguage(text)).toBe('jsonl')
    // A list with a long first line.
    expect(detectLanguage(`[${record(chars)},\n[1]]\n`)).toBe('json')
  })

  test('says JSON with comments, for these and for commas at the end', () => {
    for (const text of [
      '// settings\n{"a":1}\n',
      '{\n  /* b */ "a": [1, 2]\n}\n',
      '{\n  "a": 1, // b\n  "c": 2\n}\n',
      '{\n  "a": [1, 2,],\n}\n',
      `{\n  // long\n${'  "a": "b",\n'.repeat(10_000)}  "c": 1\n}\n`,
    ])
      expect(detectLanguage(text), text.slice(0, 80)).toBe('jsonc')
    expect(detectLanguage('{"address":"http://nas/*"}')).toBe('json')
  })

  test('takes nothing for JSON that another language has as well', () => {
    for (const text of [
      '[1, 2, 3,]\n',
      '// a\n[1]\n',
      '/* a */\nint x;\n',
      '{} {}',
      '[]\n[]\n',
      '{"a":1} {"b":2}\n',
      '{"a":1}\n{"b":2} x\n',
      "{'a': 1}",
      '[section]\n',
    ])
      expect(detectLanguage(text), text).not.toMatch(/^json/)
  })
})
