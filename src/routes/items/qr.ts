import { pageHeaders } from '../../http/answers/respond.ts'

/** An address as a QR code, for a phone. */
export const qrCode = async (address: string) => {
  const { renderSVG } = await import('uqr')
  return new Response(renderSVG(address, { border: 2 }), {
    headers: { ...pageHeaders, 'Content-Type': 'image/svg+xml' },
  })
}
