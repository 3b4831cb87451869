import { PIPED_IN } from './piped-in.ts';

/** What stands in a text until another tool puts a value in its place. */
export interface Placeholder {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

const TEMPLATE = /\{\{.*?(?:\}\}|$)|\{%.*?(?:%\}|$)/s;
/** Flux's postBuild and envsubst; `$(NAME)` is Kubernetes' own and `$${NAME}` is escaped. */
const VARIABLE = /(?<!\$)\$\{[A-Za-z_][^}]*\}?/s;
const SHOWN_LENGTH = 60;

const NOT_YET = 'manifests are read as they would be applied, and its value is put in before that';

function cut(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH - 1)}…` : text;
}

/** The first one in a text, if it has any. */
export function placeholderIn(text: string): Placeholder | undefined {
  const template = TEMPLATE.exec(text)?.[0];
  if (template !== undefined) {
    return {
      what: `the template ${cut(template)}`,
      why: NOT_YET,
      fix: `render first, for example \`helm template CHART ${PIPED_IN}\``,
    };
  }
  const variable = VARIABLE.exec(text)?.[0];
  if (variable === undefined) return undefined;
  return {
    what: `the variable ${cut(variable)}`,
    why: NOT_YET,
    fix: `put its value in first, for example \`flux build kustomization NAME --path FOLDER ${PIPED_IN}\`, or with \`flux envsubst\``,
  };
}
