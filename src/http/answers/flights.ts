/** What was made is not held any longer than who asked for it holds it. */
const ended = () => {}

/** Work under way that several wait for. */
export const createFlights = <T>() => {
  const inFlight = new Map<string, Promise<T>>()
  let last: Promise<unknown> = Promise.resolve()

  return {
    /** What `make` makes, once for all who ask under this key while it is being made. */
    shared: (key: string, make: () => Promise<T>): Promise<T> => {
      const flight = inFlight.get(key) ?? make().finally(() => inFlight.delete(key))
      inFlight.set(key, flight)
      return flight
    },

    /** Begins when all that was asked for before has ended. */
    oneAtATime: (make: () => Promise<T>): Promise<T> => {
      const made = last.then(make)
      last = made.then(ended, ended)
      return made
    },
  }
}
