/** `1 slot`, `3 slots`; thousands are set apart by a comma. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `a`, `a and b`, `a, b and c`, and beyond `limit` `a, b and 7 more`. */
export function listed(items: readonly string[], limit = 5): string {
  if (items.length <= 1) return items.join('');
  const shown = items.length > limit ? items.slice(0, limit) : items.slice(0, -1);
  const last = items.length > limit ? `${items.length - limit} more` : (items.at(-1) ?? '');
  return `${shown.join(', ')} and ${last}`;
}
