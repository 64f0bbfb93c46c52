import { Html } from '@elysiajs/html'

/** When an item expires, machine-readable and for people; neither where it does not. */
export type Expiring = { expiresAt?: string; expiresAtText?: string }

/** `Expires 12 Jan 2027, 10:00 UTC`; a script turns the time into `in 3 days`. */
export const Expiry = ({ expiresAt = '', expiresAtText = '' }: Expiring) => (
  <>
    Expires{' '}
    <time datetime={expiresAt} safe>
      {expiresAtText}
    </time>
  </>
)
