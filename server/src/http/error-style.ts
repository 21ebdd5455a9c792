import { systemCssVariables } from '@pazar/theme'
import { toInline } from './inline.ts'

const RULES = `*{box-sizing:border-box}
body{display:flex;flex-direction:column;min-height:100vh;margin:0;background:var(--background);color:var(--text);font:17px/1.6 var(--font);-webkit-text-size-adjust:100%}
h1,p,ul{margin:0;padding:0;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:4px}
.wrap{width:100%;max-width:1160px;margin:0 auto;padding:0 24px}
.skip{position:absolute;left:-999px;top:8px;padding:12px 16px;border-radius:8px;background:var(--raised)}
.skip:focus{left:8px}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 28px;padding-top:18px!important;padding-bottom:18px!important}
.name{display:flex;align-items:center;gap:12px;padding:8px 0;font-size:21px;font-weight:680;letter-spacing:-.02em;text-decoration:none}
.name svg{width:34px;height:34px;fill:var(--on-accent)}
.name rect{fill:var(--accent)}
nav{display:flex;flex-wrap:wrap;gap:4px 28px}
nav a{padding:10px 0;font-size:16px;color:var(--muted);text-decoration:none}
nav a:hover{color:var(--text);text-decoration:underline}
main{flex:1;padding-top:min(12vh,112px)!important;padding-bottom:64px!important}
.code{color:var(--accent);font-size:18px;font-weight:650;font-variant-numeric:tabular-nums}
h1{max-width:16em;margin-top:8px;font-size:clamp(34px,4.6vw,52px);line-height:1.08;font-weight:680;letter-spacing:-.03em;text-wrap:balance}
.lead{max-width:32em;margin-top:20px;font-size:20px;line-height:1.5;color:var(--muted);text-wrap:pretty}
.acts{display:flex;flex-wrap:wrap;gap:12px;margin-top:36px}
.act{display:inline-flex;align-items:center;justify-content:center;min-height:54px;padding:8px 26px;border:1px solid var(--accent);border-radius:14px;background:var(--accent);color:var(--on-accent);font-weight:650;text-decoration:none}
.act:hover{filter:brightness(1.1)}
.second{border-color:var(--control);background:none;color:var(--text)}
.ways{display:grid;gap:12px;max-width:900px;margin-top:56px;list-style:none}
.ways a{display:block;height:100%;padding:18px 20px;border:1px solid var(--line);border-radius:16px;background:var(--raised);text-decoration:none}
.ways a:hover{border-color:var(--accent)}
.ways strong{display:block;font-weight:650}
.ways span{color:var(--muted);font-size:15px;line-height:1.45;display:block;margin-top:4px}
footer{border-top:1px solid var(--line);color:var(--muted);font-size:15px}
footer .wrap{padding-top:24px;padding-bottom:32px}
footer code{font:14px var(--mono);user-select:all}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:6px}
@media (min-width:760px){.ways{grid-template-columns:repeat(3,1fr)}}
@media (max-width:520px){body{font-size:16px}main{padding-top:48px!important}.lead{font-size:18px}.act{width:100%}nav{gap:0 20px}header .docs{display:none}}
@media print{.acts,.ways,nav{display:none}}`

export const errorStyle = toInline('style', systemCssVariables() + RULES)
