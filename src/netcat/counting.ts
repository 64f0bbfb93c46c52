import { overloaded } from '../errors.ts'
import { networkOf } from '../ip-address.ts'
import type { NetcatLimits } from './limits.ts'

/** Counts the senders, in all and for each address. */
export type Counting = {
  /** @param address in the spelling of `ipAddressOf`. @returns what gives the place back. @throws {AppError} `overloaded` */
  enter: (address: string) => () => void
}

export const createCounting = ({
  senders,
  sendersPerAddress,
}: Pick<NetcatLimits, 'senders' | 'sendersPerAddress'>): Counting => {
  let all = 0
  const byNetwork = new Map<string, number>()
  return {
    enter: (address) => {
      const network = networkOf(address)
      const own = byNetwork.get(network) ?? 0
      if (own >= sendersPerAddress)
        throw overloaded(`${address} sends ${own} texts already. Wait until one of them is done.`)
      if (all >= senders)
        throw overloaded('Too many texts are being sent at once. Try again in a few seconds.')
      all++
      byNetwork.set(network, own + 1)
      return () => {
        all--
        const left = (byNetwork.get(network) ?? 1) - 1
        if (left > 0) byNetwork.set(network, left)
        else byNetwork.delete(network)
      }
    },
  }
}
