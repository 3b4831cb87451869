import type { PlainReading } from './plain.ts';

/** Go's strconv.FormatFloat(value, 'g', -1, 32): the shortest digits that a 32-bit float needs. */
function formatFloat32(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return '.nan';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits += 1;
  const [mantissa = '', power = '0'] = single.toExponential(digits - 1).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(`${mantissa}e${exponent}`));
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/**
 * The JSON key that kubectl makes of a key that is not text (sigs.k8s.io/yaml, convertToJSONableObject).
 * @returns undefined where kubectl refuses the key: null, and integers above 2^63 - 1
 */
export function keyText(reading: PlainReading): string | undefined {
  switch (reading.type) {
    case 'null':
      return undefined;
    case 'bool':
      return String(reading.value);
    case 'int':
      if (reading.exact !== undefined && reading.exact >= 2n ** 63n) return undefined;
      return String(reading.exact ?? reading.value);
    case 'float':
      return formatFloat32(reading.value);
  }
}
