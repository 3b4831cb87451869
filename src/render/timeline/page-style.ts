/**
 * The style sheet of the page, constant so that its hash is. Every pair of `light-dark` is a colour in the light and in
 * the dark; texts keep a contrast of 4.5 in both.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fafaf8, #14161a);
  --panel: light-dark(#ffffff, #1b1e23);
  --ink: light-dark(#1c2126, #e7e9ec);
  --muted: light-dark(#59626c, #a3acb6);
  --line: light-dark(#e1e3e6, #2c3138);
  --strong-line: light-dark(#c4c8cd, #444b54);
  --blue: light-dark(#1f5fae, #82b7f7);
  --green: light-dark(#1b6e41, #74d29b);
  --amber: light-dark(#855600, #e9b95f);
  --red: light-dark(#b3261e, #ff9f95);
  --gray: light-dark(#626b75, #9ea7b1);
  --on: light-dark(#ffffff, #14161a);
  --today: light-dark(#f1f5fb, #1d242e);
  --h1: light-dark(#dfeaf8, #1d2c3f);
  --h2: light-dark(#bfd6f1, #26425f);
  --h3: light-dark(#96bce8, #2f5a86);
  --h4: light-dark(#2f6db8, #78aee9);
  --h5: light-dark(#1d4f93, #a3c9f5);
  --h6: light-dark(#12366a, #d2e6ff);
  --low: light-dark(#1c2126, #f0f2f4);
  --high: light-dark(#ffffff, #14161a);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); }
header, main, footer { max-width: 100rem; margin: 0 auto; padding: 0 1.5rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding-top: 1.5rem; }
h1 { font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em; margin: 0; flex: 1 1 20rem; }
h2 { font-size: 1.05rem; font-weight: 650; margin: 0 0 .25rem; }
header p { flex: 1 0 100%; margin: 0; max-width: 60rem; }
p { margin: 0 0 .75rem; }
.muted, .hint, caption, footer { color: var(--muted); }
.hint, caption, footer { font-size: .85rem; }
.warning { color: var(--amber); font-weight: 600; }
section { margin-top: 2rem; }
footer { margin-top: 2rem; padding-bottom: 2rem; }
button, input { font: inherit; color: inherit; }
.control { background: var(--panel); border: 1px solid var(--strong-line); border-radius: .4rem; padding: .2rem .7rem; }
button.control { cursor: pointer; }
input.control { width: 18rem; max-width: 100%; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 9; background: var(--panel); padding: .5rem 1rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
.bar label { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.frame { border: 1px solid var(--line); border-radius: .5rem; background: var(--panel); overflow: auto; }
.tall { max-height: 80vh; }
table { border-collapse: separate; border-spacing: 0; }
caption { text-align: left; padding: .4rem .75rem; }
th { text-align: left; font-weight: inherit; }
#calendar { width: 100%; min-width: 16rem; }
#calendar thead th { position: sticky; top: 0; z-index: 3; background: var(--panel); border-bottom: 1px solid var(--strong-line); padding: .3rem .4rem; font-size: .85rem; white-space: nowrap; min-width: 6.5rem; }
#calendar thead th:first-child { left: 0; z-index: 4; width: 24%; }
#calendar thead th.today { background: var(--today); box-shadow: inset 0 -2px var(--blue); }
#calendar tbody th { position: sticky; left: 0; z-index: 2; background: var(--panel); min-width: 11rem; max-width: 24rem; padding: .3rem .75rem; border-right: 1px solid var(--line); overflow-wrap: anywhere; }
#calendar tbody th, #calendar tbody td { border-bottom: 1px solid var(--line); }
#calendar tbody tr:last-child > * { border-bottom: 0; }
#calendar tbody td { padding: 0; border-right: 1px solid var(--line); text-align: center; color: var(--muted); font-size: .85rem; }
#calendar td.why { text-align: left; padding: .3rem .75rem; overflow-wrap: anywhere; }
.kind { color: var(--muted); font-size: .8rem; }
.name { font-weight: 600; }
.when, .note { display: block; color: var(--muted); font-size: .8rem; }
.when { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.note { color: var(--amber); }
.badge { font-size: .75rem; color: var(--muted); border: 1px solid var(--strong-line); border-radius: .3rem; padding: 0 .3rem; white-space: nowrap; }
.lane { position: relative; height: 2rem; margin: 0 .6rem; min-width: 5.5rem; background: linear-gradient(to right, var(--line) 1px, transparent 1px) 0 0 / 25% 100%; }
.lane > i { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--red); opacity: .55; }
.mark { position: absolute; top: 50%; height: 1.1rem; min-width: 1.1rem; margin: -.55rem 0 0 -.55rem; padding: 0 .15rem; border: 0; border-radius: .55rem; font-size: .68rem; font-weight: 700; line-height: 1.1rem; text-align: center; color: var(--on); background: var(--gray); cursor: default; white-space: nowrap; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.mark { z-index: 1; }
.wide { margin-left: 0; border-radius: .3rem; overflow: hidden; z-index: 0; }
.mark:focus-visible { z-index: 2; outline-offset: 1px; }
.tone-good { background: var(--green); }
.tone-warning { background: var(--amber); border-radius: .2rem; }
.tone-bad { background: var(--red); border-radius: 0; }
.tone-accent { background: var(--blue); }
.look-foretold:not(.wide), .look-observed { background: var(--panel); border: 2px solid var(--blue); color: var(--blue); line-height: .85rem; padding: 0; }
.look-observed { border-style: dashed; }
.look-suspended { background: var(--panel); border: 1px dashed var(--muted); color: var(--muted); line-height: 1rem; }
.look-settled { background: var(--panel); border: 1px solid var(--gray); color: var(--gray); line-height: 1rem; }
.range { background: repeating-linear-gradient(135deg, var(--panel) 0 4px, var(--line) 4px 6px); border: 1px solid currentColor; color: var(--blue); line-height: 1rem; border-radius: .2rem; }
.look-suspended.range { color: var(--muted); }
.rest { border-left-style: dotted; }
#legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: .5rem 0; padding: 0; font-size: .85rem; }
#legend .mark { position: static; display: inline-block; margin: 0 .35rem 0 0; vertical-align: middle; }
#heat { width: 100%; min-width: 40rem; table-layout: fixed; border-spacing: 1px; font-size: .68rem; padding: 0 .5rem .5rem; }
#heat caption { font-size: .85rem; }
#heat thead td, #heat thead th, #heat tbody th { color: var(--muted); font-size: .68rem; text-align: center; }
#heat thead td { width: 1.6rem; }
#heat thead th span { display: none; }
#heat thead th:nth-child(5n + 2) span { display: inline; }
#heat thead th { overflow: visible; white-space: nowrap; }
#heat tbody td { height: 1.25rem; padding: 0; text-align: center; border-radius: 2px; background: color-mix(in srgb, var(--line) 45%, transparent); }
#heat tbody td, .scale i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.h1 { background: var(--h1) !important; color: var(--low); }
.h2 { background: var(--h2) !important; color: var(--low); }
.h3 { background: var(--h3) !important; color: var(--low); }
.h4 { background: var(--h4) !important; color: var(--high); }
.h5 { background: var(--h5) !important; color: var(--high); }
.h6 { background: var(--h6) !important; color: var(--high); }
.scale { display: flex; gap: .2rem; align-items: center; font-size: .85rem; color: var(--muted); margin: .5rem 0 0; }
.scale i { width: 1.4rem; height: .9rem; border-radius: 2px; }
#peaks { margin-top: 1rem; font-size: .9rem; }
#peaks caption { padding-left: 0; }
#peaks th, #peaks td { padding: .2rem 1rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
#peaks thead th { color: var(--muted); font-size: .85rem; }
#peaks thead th, #peaks td:nth-child(3), .date { white-space: nowrap; }
#peaks .number { text-align: right; }
#peaks .objects { overflow-wrap: anywhere; }
#tip { position: fixed; z-index: 8; left: 0; top: 0; max-width: min(34rem, calc(100vw - 1rem)); background: var(--ink); color: var(--page); border-radius: .4rem; padding: .5rem .75rem; font-size: .85rem; box-shadow: 0 4px 16px rgb(0 0 0 / .3); overflow-wrap: anywhere; }
#tip[hidden] { display: none; }
#tip b, #tip span { display: block; }
@media (max-width: 40rem) { #tip .date { white-space: normal; } }
@media (prefers-reduced-motion: no-preference) {
  #tip { animation: show .12s ease-out; }
  @keyframes show { from { opacity: 0; transform: translateY(2px); } }
}
@media (max-width: 70rem) { #heat tbody td span { display: none; } #heat tbody td { height: 1rem; } }
@media (max-width: 40rem) {
  header, main, footer { padding-left: .75rem; padding-right: .75rem; }
  h1 { font-size: 1.25rem; }
  #calendar tbody th { min-width: 8rem; max-width: 8.5rem; padding: .3rem .4rem; font-size: .85rem; }
  #calendar thead th:first-child { min-width: 8rem; }
  #peaks th, #peaks td, #peaks thead th { padding-right: .5rem; white-space: normal !important; }
}
@media (forced-colors: active) { .mark, #heat tbody td[class] { border: 1px solid CanvasText; } }
@media print {
  :root, :root[data-theme="dark"] { color-scheme: light; font-size: 10px; }
  .bar, .hint, #theme, .skip, #tip { display: none; }
  .frame { overflow: visible; max-height: none; border: 0; }
  #calendar thead th, #calendar tbody th { position: static; }
  #calendar thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
`;

/** Of the text above, for the content security policy; a test computes it. */
export const PAGE_STYLE_HASH = 'sha256-G5U31ABlVpB/pSrQU1qRF7US5QNbLuJcS8BwJVTT438=';
