/** Program and the package of the distribution that brings it. */
const programs = { wrk: 'wrk', nginx: 'nginx-light', taskset: 'util-linux' }

/** Debian keeps nginx where only root looks. */
const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`

export const pathOf = (program: keyof typeof programs) => Bun.which(program, { PATH: path })

/** What to type when a program is missing. */
export const missingPrograms = (find: (program: keyof typeof programs) => string | null = pathOf) => {
  const missing = (Object.keys(programs) as (keyof typeof programs)[]).filter((name) => find(name) === null)
  if (missing.length === 0) return undefined
  const packages = missing.map((name) => programs[name]).join(' ')
  return `${missing.join(' and ')} missing; install with: apt-get install ${packages}`
}
