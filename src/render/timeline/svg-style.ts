/** Colours are written out, since few programs that draw SVG know custom properties. */
export const SVG_STYLE = `
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #1c2126; }
.page { fill: #ffffff; }
.title { font-size: 17px; font-weight: 600; }
.head { font-weight: 600; }
.muted { fill: #59626c; }
.small { font-size: 10.5px; }
.letter { font-size: 10px; font-weight: 700; text-anchor: middle; fill: #ffffff; }
.line { stroke: #e1e3e6; }
.now { stroke: #b3261e; stroke-width: 1.5; opacity: .55; }
.mark { fill: #626b75; }
.tone-good { fill: #1b6e41; }
.tone-warning { fill: #855600; }
.tone-bad { fill: #b3261e; }
.tone-accent { fill: #1f5fae; }
.hollow { fill: #ffffff; stroke: #1f5fae; stroke-width: 2; }
.hollow.tone-faint { stroke: #59626c; stroke-width: 1; stroke-dasharray: 2 2; }
.look-observed { stroke-dasharray: 3 2; }
.on-hollow { fill: #1f5fae; }
.on-hollow.tone-faint { fill: #59626c; }
.range { fill: #1f5fae; fill-opacity: .18; stroke: #1f5fae; stroke-dasharray: 4 2; }
.h0 { fill: #f1f2f3; }
.h1 { fill: #dfeaf8; }
.h2 { fill: #bfd6f1; }
.h3 { fill: #96bce8; }
.h4 { fill: #2f6db8; }
.h5 { fill: #1d4f93; }
.h6 { fill: #12366a; }
@media (prefers-color-scheme: dark) {
text { fill: #e7e9ec; }
.page { fill: #1b1e23; }
.muted { fill: #a3acb6; }
.letter { fill: #14161a; }
.line { stroke: #2c3138; }
.now { stroke: #ff9f95; }
.mark { fill: #9ea7b1; }
.tone-good { fill: #74d29b; }
.tone-warning { fill: #e9b95f; }
.tone-bad { fill: #ff9f95; }
.tone-accent { fill: #82b7f7; }
.hollow { fill: #1b1e23; stroke: #82b7f7; }
.hollow.tone-faint { stroke: #a3acb6; }
.on-hollow { fill: #82b7f7; }
.on-hollow.tone-faint { fill: #a3acb6; }
.range { fill: #82b7f7; stroke: #82b7f7; }
.h0 { fill: #23272d; }
.h1 { fill: #1d2c3f; }
.h2 { fill: #26425f; }
.h3 { fill: #2f5a86; }
.h4 { fill: #78aee9; }
.h5 { fill: #a3c9f5; }
.h6 { fill: #d2e6ff; }
}
`;
