// Design tokens: the colours and fonts of pages, mails and portal. tokens.test.ts checks their contrast.

const light = {
  background: '#ffffff',
  surface: '#f7f7f5',
  raised: '#ffffff',
  text: '#17191c',
  muted: '#5b6169',
  line: '#e3e4e0',
  control: '#8a8f96',
  accent: '#0b5d50',
  onAccent: '#ffffff',
  ok: '#176b3a',
  okBg: '#e6f4ea',
  warn: '#7a4a00',
  warnBg: '#fdf1d8',
  error: '#b3261e',
  errorBg: '#fdecea',
  info: '#1c4fa3',
  infoBg: '#e8f0fc',
}

const dark: typeof light = {
  background: '#0f1113',
  surface: '#17191c',
  raised: '#1f2226',
  text: '#eceef0',
  muted: '#a3a9b1',
  line: '#2b2f34',
  control: '#6f757d',
  accent: '#4fd1b5',
  onAccent: '#06231d',
  ok: '#7bd69a',
  okBg: '#12281b',
  warn: '#f0c066',
  warnBg: '#2e220c',
  error: '#ff8a80',
  errorBg: '#34110f',
  info: '#8db8ff',
  infoBg: '#12213b',
}

export type Theme = 'light' | 'dark'
export type ColourName = keyof typeof light

export const colours: Readonly<Record<Theme, Readonly<Record<ColourName, string>>>> = { light, dark }

/** These colours are the same in both themes, so that people recognise the test bar. */
export const testBar = { testText: '#2b1d00', testBg: '#f5c542' } as const

/** System fonts need no download, and all of them have Č Ć Đ Š Ž Ś Ź. */
const fonts = {
  font: 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif',
  mono: 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace',
} as const

/**
 * A shade at the left and right edge shows that content can be scrolled. Where the content ends, a cover that scrolls
 * with the content hides the shade.
 */
export const edgeShade = toEdgeShade()

function toEdgeShade(): string {
  const sides = ['right', 'left'] // The direction in which each gradient fades out.
  const cover = 'var(--surface) 50%'
  const shade = 'color-mix(in srgb,var(--text) 28%,transparent)'
  const images = [cover, shade].flatMap((colour) =>
    sides.map((side) => `linear-gradient(to ${side},${colour},transparent)`),
  )
  return [
    `background-image:${images.join(',')}`,
    'background-position:left,right,left,right',
    'background-size:40px 100%,40px 100%,16px 100%,16px 100%',
    'background-repeat:no-repeat',
    'background-attachment:local,local,scroll,scroll',
  ].join(';')
}

/**
 * `onAccent` becomes `--on-accent`. An element below the root can set `data-theme` too, so that a QR code stays light.
 */
export function cssVariables(): string {
  const fixed = toDeclarations({ ...testBar, ...fonts })
  const lightDeclarations = `color-scheme:light;${toDeclarations(colours.light)}`
  const darkDeclarations = `color-scheme:dark;${toDeclarations(colours.dark)}`
  return [
    `:root{${fixed}}`,
    `:root,[data-theme=light]{${lightDeclarations}}`,
    // Dark on screens only: browsers do not print the background, and light text would be hard to read.
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme]){${darkDeclarations}}}`,
    `@media screen{[data-theme=dark]{${darkDeclarations}}}`,
  ].join('')
}

/** For pages that only follow the system's theme. Shorter than cssVariables. */
export function systemCssVariables(): string {
  const lightDeclarations = `color-scheme:light dark;${toDeclarations({ ...testBar, ...fonts, ...colours.light })}`
  return `:root{${lightDeclarations}}@media screen and (prefers-color-scheme:dark){:root{${toDeclarations(colours.dark)}}}`
}

function toDeclarations(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${toKebab(name)}:${toShort(value)}`)
    .join(';')
}

function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function toShort(value: string): string {
  return value.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')
}
