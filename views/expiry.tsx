import { Html } from '@elysiajs/html'

/** When an item was created, and last changed if it was, for machines and for people. */
export type Dated = { createdAt: string; createdAtText: string; changedAt?: string; changedAtText?: string }

/** The last change, or the creation of what was never changed. @param created the word before the time of a creation */
export const LastChange = ({ created = '', ...item }: Dated & { created?: string }) => (
  <>
    {item.changedAt === undefined ? created : 'Changed '}
    <time datetime={item.changedAt ?? item.createdAt} safe>
      {item.changedAtText ?? item.createdAtText}
    </time>
  </>
)

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
