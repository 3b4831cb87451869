import { Document, Scalar, visit } from 'yaml';
import { canonicalJson } from '#core/object/canonical.ts';
import { escapeJson } from '#render/escape-json.ts';

/** Text that every version of YAML reads as text; anything else is quoted. */
const PLAIN_TEXT = /^[A-Za-z/][\w./()-]*(?: [\w./()-]+)*$/;
/** What YAML 1.1, and kubectl with it, takes for a boolean or for null. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function styleOf(text: string): Scalar.Type {
  return PLAIN_TEXT.test(text) && !RESERVED.test(text) ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
}

/** YAML has no pairs of surrogates. */
function joinSurrogates(text: string): string {
  return text.replace(/\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/g, (_pair, high: string, low: string) => {
    const units = [high, low].map((unit) => Number.parseInt(unit, 16));
    const point = String.fromCharCode(...units).codePointAt(0) ?? 0;
    return `\\U${point.toString(16).padStart(8, '0')}`;
  });
}

/** A document as YAML, with the same members in the same order as the JSON, and as safe to print. */
export function toYaml(value: unknown): string {
  const document = new Document(JSON.parse(canonicalJson(value)), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string') node.type = styleOf(node.value);
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
  return joinSurrogates(escapeJson(text));
}
