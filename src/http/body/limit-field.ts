/** A limit as a form or a query gives it, as a number; what is no whole number stays, for the schema to refuse. */
export const limitOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text)
