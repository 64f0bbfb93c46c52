const loaded = (file: HTMLScriptElement | HTMLLinkElement) =>
  new Promise((resolve, reject) => {
    file.onload = resolve
    file.onerror = reject
    document.head.append(file)
  })

/** Loads the script and the styles that an element names: most visits need neither. Rejects if one cannot be loaded. */
export const loadFor = ({ dataset: { script = '', style = '' } }: HTMLElement) =>
  Promise.all([
    loaded(Object.assign(document.createElement('script'), { type: 'module', src: script })),
    loaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style })),
  ])
