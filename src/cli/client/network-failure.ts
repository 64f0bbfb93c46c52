import type { Failure } from './failures.ts'

const trust = 'if it is yours, name its CA certificate in NODE_EXTRA_CA_CERTS'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there: is the server running, and is the port right?',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'there is no host of this name',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this host',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: 'the connection was cut before an answer came; does the address need https://?',
  EPIPE: 'the connection was cut before an answer came',
  EPROTO: 'TLS failed: does the address need http:// in place of https://?',
  DEPTH_ZERO_SELF_SIGNED_CERT: `TLS failed: the certificate is self-signed; ${trust}`,
  SELF_SIGNED_CERT_IN_CHAIN: `TLS failed: the certificate is from an unknown authority; ${trust}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `TLS failed: the certificate is from an unknown authority; ${trust}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `TLS failed: the certificate is from an unknown authority; ${trust}`,
  CERT_HAS_EXPIRED: 'TLS failed: the certificate has expired',
  CERT_NOT_YET_VALID: 'TLS failed: the certificate is not valid yet; is the clock right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS failed: the certificate is for another host name',
}

/** @param silentSeconds how long nothing had moved, when that is why the request ended */
export const networkFailure = (server: string, error: unknown, silentSeconds?: number): Failure => {
  const { code = '', message } = error as { code?: string; message: string }
  const silence = `nothing moved for ${silentSeconds} s; it is not known whether the server did it`
  const reason =
    silentSeconds === undefined ? (reasons[code] ?? `the request failed (${code || message})`) : silence
  return { problem: `cannot reach ${server}: ${reason}`, exitCode: 5 }
}
