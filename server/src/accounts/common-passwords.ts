// Refuses new passwords that attackers guess first.
import { invalidField } from '../lib/service-error.ts'
import { COMMON_PASSWORDS } from './common-password-list.ts'

/** "abcabcabcabc" has a cycle of three characters. A cycle of five or more can be a word that somebody chose. */
const CYCLE_MAX = 4

/** Some rows repeat their beginning, so that "xyzabc" is found too. */
const SEQUENCES = [
  '01234567890123456789012345678901234567890123456789',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'abcčćddžđefghijklljmnnjoprsštuvzžabcčćd',
  'qwertyuiopasdfghjklzxcvbnmqwertyuiop',
  'qwertzuiopasdfghjklyxcvbnmqwertzuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '`1234567890-=qwertyuiop[]asdfghjkl;zxcvbnm,./',
].flatMap((row) => [row, Array.from(row).toReversed().join('')])

const WEAK_WORDS = `
pazar password passwort passwords pass passcode lozinka lozinku lozinke sifra šifra zaporka qwerty qwertz azerty asdf
admin administrator root user korisnik login signin signup prijava welcome dobrodosli dobrodošli hello zdravo test
testing tester demo guest gost secret tajna changeme change letmein please default temp temporary master access
monkey dragon football fudbal baseball superman batman iloveyou loveyou volimte love ljubav sunshine sunce princess
princeza crnagora montenegro podgorica niksic nikšić budva kotor bar cetinje srbija beograd zvezda partizan summer
winter spring autumn ljeto zima proljece proljeće jesen january february march april june july august september
october november december monday friday sunday company kompanija firma shop prodavnica prodavac trgovina payment
placanje plaćanje checkout merchant my moj moja the and abc qaz wsx qwe asd zxc
`
  .trim()
  .split(/\s+/)

const LEET: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
}

function isShortCycle(text: string): boolean {
  const letters = Array.from(text)
  for (let period = 1; period <= CYCLE_MAX; period += 1) {
    if (letters.every((letter, index) => index < period || letter === letters[index - period])) return true
  }
  return false
}

/** A run is a part of a sequence, such as "45678". Shorter runs also occur in ordinary words and numbers. */
const RUN_LENGTH_MIN = 5
/** People add a year or a few digits until a form accepts the password. */
const EXTRA_CHARACTERS_MAX = 4

function runLengthAt(text: string, position: number): number {
  let length = 0
  for (const row of SEQUENCES)
    while (row.includes(text.slice(position, position + length + 1)) && position + length < text.length)
      length += 1
  return length
}

function isMadeOfRuns(text: string): boolean {
  let extra = 0
  for (let position = 0; position < text.length;) {
    const length = runLengthAt(text, position)
    if (length < RUN_LENGTH_MIN) extra += 1
    position += length < RUN_LENGTH_MIN ? 1 : length
  }
  return extra <= EXTRA_CHARACTERS_MAX
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '')
}

/**
 * Returns two variants of the text. The first has only the letters of the text. In the second, substitutes are replaced by
 * letters first: "p@ssw0rd" becomes "password".
 */
function toLetterVariants(text: string): string[] {
  const inner = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const unsubstituted = inner.replaceAll(/[@$013457]/g, (letter) => LEET[letter] ?? letter)
  return [lettersOf(text), lettersOf(unsubstituted)]
}

function ownWords(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const words = [local, domain, ...local.split(/[^\p{L}]+/u), ...domain.split('.')].map(lettersOf)
  return words.filter((word) => word.length >= 3)
}

function isMadeOf(letters: string, words: readonly string[]): boolean {
  const reached = new Set([0])
  for (let position = 0; position < letters.length; position += 1) {
    if (!reached.has(position)) continue
    for (const word of words) if (letters.startsWith(word, position)) reached.add(position + word.length)
  }
  return letters.length > 0 && reached.has(letters.length)
}

export function isCommonPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (COMMON_PASSWORDS.has(text) || isShortCycle(text)) return true
  if (isMadeOfRuns(text)) return true
  const words = [...WEAK_WORDS, ...ownWords(email)]
  return toLetterVariants(text).some((letters) => isMadeOf(letters, words))
}

export function refuseCommonPassword(password: string, email: string): void {
  if (isCommonPassword(password, email)) throw invalidField('password', 'password_too_common')
}
