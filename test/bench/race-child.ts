import { readFileSync } from 'node:fs';
import { type Race, race } from './race.ts';

/* A race where the folders are others: node race-child.ts FILE prints its times as JSON. */

const [file = ''] = process.argv.slice(2);
console.log(JSON.stringify(race(JSON.parse(readFileSync(file, 'utf8')) as Race)));
