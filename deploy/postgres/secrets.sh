#!/bin/sh
# sudo sh deploy/postgres/secrets.sh [FOLDER]: makes the secrets of compose.yaml, each readable by the user of its container.
# Compose mounts files as they are: 999 is the user of PostgreSQL in its image, 10001 that of Shortcrust.
set -eu
umask 077
# No secret is ever replaced: PostgreSQL takes its password when it makes the database, and never again.
set -C
folder=${1:-/etc/shortcrust}
mkdir -p "$folder"
password=$(openssl rand -hex 24)
echo "$password" > "$folder/postgres-password"
echo "postgres://shortcrust:$password@postgres/shortcrust" > "$folder/store"
openssl rand -hex 24 > "$folder/api-key"
chown 999 "$folder/postgres-password"
chown 10001 "$folder/store" "$folder/api-key"
