import { Html } from '@elysiajs/html'

/** When an item expires, machine-readable and for people; neither where it does not. */
export type Expiring = { expiresAt?: string; expiresAtText?: string }

/** `Expires 12 Jan 2027, 10:00 UTC`; not shown as an age, which would say six days of a week. */
export const Expiry = ({ expiresAt = '', expiresAtText = '' }: Expiring) => (
  <>
    Expires{' '}
    <time class="instant" datetime={expiresAt} safe>
      {expiresAtText}
    </time>
  </>
)
