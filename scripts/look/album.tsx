import { Html } from '@elysiajs/html'
import type { Picture } from './camera.ts'
import type { State } from './state.ts'

const styles = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { margin: 0 auto; max-width: 110rem; padding: 1rem 1.5rem 4rem }
  nav ul { columns: 16rem; padding-left: 1.25rem }
  h2 { margin: 3rem 0 0; border-bottom: 1px solid }
  h3 { margin: 1.5rem 0 0.5rem }
  .pictures { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start }
  figure { margin: 0 }
  img { display: block; height: 15rem; width: auto; border: 1px solid gray }
  .long { object-fit: cover; object-position: top }
  figcaption { font-size: 0.8125rem }
  .problems { color: light-dark(#b3261e, #ff8a80) }
`
const pageOf = ({ name }: State) => name.split('/')[0] as string

const Thumbnail = ({ picture: { variant, file, height } }: { picture: Picture }) => {
  const width = Number.parseInt(variant, 10)
  const shown = Math.min(height, width === 360 ? 640 : 720)
  const size = { width: String(Math.round((240 * width) / shown)), height: '240' }
  return (
    <figure>
      <a href={Html.escapeHtml(file)}>
        <img
          class="long"
          src={Html.escapeHtml(file)}
          alt={Html.escapeHtml(variant)}
          loading="lazy"
          {...size}
        />
      </a>
      <figcaption safe>{variant}</figcaption>
    </figure>
  )
}

/** One state with its pictures. */
const Shown = ({ state: { name, shows }, pictures }: { state: State; pictures: readonly Picture[] }) => (
  <>
    <h3 id={Html.escapeHtml(name)}>
      <span safe>{shows}</span> <small>{name}</small>
    </h3>
    <div class="pictures">
      {pictures.map((picture) => (
        <Thumbnail picture={picture} />
      ))}
    </div>
  </>
)

type AlbumProps = {
  states: readonly State[]
  pictures: readonly Picture[]
  problems: readonly string[]
}

/** One page with every picture, without a script: small ones to compare, each leads to the whole. */
export const Album = ({ states, pictures, problems }: AlbumProps) => {
  const pages = [...new Set(states.map(pageOf))]
  return (
    <>
      {'<!doctype html>'}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Every page of Shortcrust</title>
          <style>{styles as 'safe'}</style>
        </head>
        <body>
          <h1>Every page of Shortcrust</h1>
          <p>
            {pictures.length} pictures of {states.length} states.
          </p>
          {problems.length === 0 ? null : (
            <ul class="problems">
              {problems.map((problem) => (
                <li safe>{problem}</li>
              ))}
            </ul>
          )}
          <nav>
            <ul>
              {states.map(({ name }) => (
                <li>
                  <a href={`#${Html.escapeHtml(name)}`}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
          {pages.map((page) => (
            <section>
              <h2 safe>{page}</h2>
              {states
                .filter((state) => pageOf(state) === page)
                .map((state) => (
                  <Shown state={state} pictures={pictures.filter((one) => one.state === state.name)} />
                ))}
            </section>
          ))}
        </body>
      </html>
    </>
  )
}
