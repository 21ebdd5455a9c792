// All style rules. A change that breaks a rule fails tidy.test.ts.
import { checkBannedWords } from './banned-words.ts'
import { checkBorders, checkCycles } from './borders.ts'
import { checkDirection } from './direction.ts'
import { checkAny, checkDoubleCasts, checkEmptyCatches, checkSilencedTypes } from './honesty.ts'
import { checkJsxWords } from './jsx-words.ts'
import { checkLengths } from './lengths.ts'
import { checkMigrations } from './migrations.ts'
import { checkNames } from './names.ts'
import { checkClock, checkConsole, checkEnvironment, checkRoutes, checkSql } from './places.ts'
import { checkPortalLayers } from './portal-layers.ts'
import { checkRenderWrites } from './render-writes.ts'
import { checkRepeats } from './repeats.ts'
import { checkReadable } from './source-file.ts'
import type { Rule } from './source-file.ts'
import { checkSubfolders } from './subfolders.ts'
import { checkTableHomes } from './table-homes.ts'
import { checkVisibleWords } from './visible-words.ts'

export const RULES: readonly { promise: string; check: Rule }[] = [
  { promise: 'every source file can be read by these rules', check: checkReadable },
  { promise: 'a folder imports only from folders that direction.ts lists later', check: checkDirection },
  { promise: 'the portal has the layers app, pages, parts, api, ui', check: checkPortalLayers },
  { promise: 'no component writes to storage while it renders', check: checkRenderWrites },
  { promise: 'between a folder and its subfolder, imports go in one direction only', check: checkSubfolders },
  { promise: 'there are no import cycles', check: checkCycles },
  { promise: 'a package imports another package by name, never by a path', check: checkBorders },
  { promise: 'in the product, SQL is only in stores, db and migrations', check: checkSql },
  { promise: 'a table is named in the SQL of one folder only', check: checkTableHomes },
  { promise: 'the server registers URLs only in routes files', check: checkRoutes },
  { promise: 'in the product, only config and a few listed files read process.env', check: checkEnvironment },
  { promise: 'the server and its packages read the time only in the two clock files', check: checkClock },
  { promise: 'in the product, only main and the commands write to the console', check: checkConsole },
  { promise: 'nothing has the type `any`', check: checkAny },
  { promise: 'no value is cast twice, as in `a as unknown as B`', check: checkDoubleCasts },
  { promise: 'no comment silences the compiler', check: checkSilencedTypes },
  { promise: 'a catch block that ignores an error says what is lost', check: checkEmptyCatches },
  { promise: 'words that people read come from the catalogue', check: checkVisibleWords },
  { promise: 'the markup of the portal contains no words', check: checkJsxWords },
  { promise: 'banned words are not used', check: checkBannedWords },
  { promise: 'a file over 250 lines or a function over 80 lines says why it is long', check: checkLengths },
  { promise: 'no block of ten lines occurs twice', check: checkRepeats },
  { promise: 'files are kebab-case and named for what they do', check: checkNames },
  { promise: 'migrations are numbered, say why and limit their locks', check: checkMigrations },
]
