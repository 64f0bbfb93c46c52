/** `1,234,567`. `Intl` would do it as well, and load 1 MB of its tables for it. */
export const countText = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
