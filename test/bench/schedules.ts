/** A schedule as text. */
export interface Schedule {
  readonly expression: string;
  readonly zone: string;
}

export const NOW = Date.UTC(2026, 5, 17, 10, 23, 45) / 1000;

const FORTY_ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Johannesburg',
  'Africa/Lagos',
  'America/Argentina/Buenos_Aires',
  'America/Bogota',
  'America/Chicago',
  'America/Denver',
  'America/Halifax',
  'America/Havana',
  'America/Los_Angeles',
  'America/Mexico_City',
  'America/New_York',
  'America/Phoenix',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Toronto',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Dubai',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Seoul',
  'Asia/Shanghai',
  'Asia/Singapore',
  'Asia/Tehran',
  'Asia/Tokyo',
  'Atlantic/Azores',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/London',
  'Europe/Moscow',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Pacific/Chatham',
];

export const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  UTC: ['UTC'],
  'New York': ['America/New_York'],
  '40 zones': FORTY_ZONES,
};

/** The same numbers in every run. */
function numbers(): (below: number) => number {
  let state = 20_261_129;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Shape = (number: (below: number) => number) => string;

/** What clusters hold, by and large: daily, weekly, hourly and stepped, office hours, monthly, a few yearly ones. */
const SHAPES: readonly Shape[] = [
  (n) => `${n(60)} ${n(24)} * * *`,
  (n) => `${n(60)} ${n(24)} * * *`,
  (n) => `${n(60)} ${n(24)} * * ${n(7)}`,
  (n) => `${n(60)} ${n(24)} * * ${n(7)}`,
  (n) => `${n(60)} ${n(24)} * * MON-FRI`,
  (n) => `${n(60)} */${2 + n(6)} * * *`,
  (n) => `${n(60)},${n(60)} ${n(24)} * * *`,
  (n) => `*/${5 + n(25)} ${n(12)}-${12 + n(12)} * * *`,
  (n) => `*/${5 + n(25)} ${n(12)}-${12 + n(12)} * * 1-5`,
  (n) => `${n(30)}-${30 + n(30)}/${5 + n(10)} ${n(24)} * * *`,
  (n) => `${n(60)} ${n(24)} ${1 + n(28)} * *`,
  (n) => `${n(60)} ${n(24)} 1,15 * *`,
  (n) => `${n(60)} ${n(24)} ${1 + n(28)} 1,4,7,10 *`,
  (n) => `${n(60)} ${n(24)} ${1 + n(28)} ${1 + n(12)} *`,
  (n) => `${n(60)} ${n(6)},${6 + n(6)},${12 + n(12)} * * *`,
  // Fine in Kubernetes, but refused or read otherwise by some libraries.
  (n) =>
    n(4) === 0 ? `${n(60)},,${n(60)} ${n(24)} ${1 + n(28)} * *` : `${n(60)} ${n(24)} ${1 + n(28)} * ${n(7)}`,
];

/** Distinct expressions, the zones dealt out in turn. */
export function schedules(count: number, zones: readonly string[]): Schedule[] {
  const number = numbers();
  const expressions = new Set<string>();
  for (let turn = 0; expressions.size < count; turn++) {
    const shape = SHAPES[turn % SHAPES.length];
    if (shape !== undefined) expressions.add(shape(number));
  }
  return [...expressions].map((expression, index) => ({
    expression,
    zone: zones[index % zones.length] ?? 'UTC',
  }));
}
