/** As over the wire: nobody shares a value with the store, and nobody can change one that it gave out. */
export function frozenCopy<T>(value: T): T {
  const copy: T = JSON.parse(JSON.stringify(value));
  return deepFreeze(copy);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
