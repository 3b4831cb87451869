/** The template language, in a file of its own: a tick loads it only where something will be rendered. */
export { renderTemplate, syntaxProblem } from './job/template.ts';
