import { Html } from '@elysiajs/html'

/** When an item expires, for machines and for people; both unset if it never does. */
export type Expiring = { expiresAt?: string; expiresAtText?: string }

/** `Expires 12 Jan 2027, 10:00 UTC`; a script shows `in 3 days` instead. */
export const Expiry = ({ expiresAt = '', expiresAtText = '' }: Expiring) => (
  <>
    Expires{' '}
    <time datetime={expiresAt} safe>
      {expiresAtText}
    </time>
  </>
)
