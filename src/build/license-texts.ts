import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXT = /^(?:licen[cs]es?|copying|notice)(?:[.-]|$)/i;
const README = /^readme(?:\.md)?$/i;
/** Down to the next heading of the same depth. */
const SECTION = /^## Licen[cs]e\s*\n([\s\S]*?)(?=\n## |(?![\s\S]))/im;

/** Of licences that packages name without their text; the names of their authors stand before it. */
const KNOWN: Readonly<Record<string, string>> = {
  'Apache-2.0': 'The text of the Apache License 2.0 is in the file LICENSE.',
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim();
}

/** Licences and notices of a package in the folder; what it only names by its usual text. */
export function licenseTexts(folder: string, license: string): readonly string[] {
  const names = readdirSync(folder).sort();
  const texts = names.filter((name) => TEXT.test(name)).map((name) => read(folder, name));
  if (texts.length > 0) return texts;
  const known = KNOWN[license];
  if (known === undefined)
    throw new Error(`${folder} is bundled, and comes without the text of its licence ${license}`);
  const readme = names.find((name) => README.test(name));
  const section = readme === undefined ? undefined : SECTION.exec(read(folder, readme))?.[1]?.trim();
  return section === undefined ? [known] : [section, known];
}
