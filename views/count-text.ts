/** `1,234,567`. `Intl` could do this, but would load 1 MB of tables. */
export const countText = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
