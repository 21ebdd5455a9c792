// The texts of both languages, and the formatters. Nothing here reads a clock, a request or the environment.
export { toBrowserName } from './browser-name.ts'
export { catalogue } from './catalogue.ts'
export {
  cutSample,
  fillSample,
  ENDPOINT_COMMANDS,
  MONO_COMMANDS,
  SAMPLE_LANGUAGES,
  SAMPLE_NAMES,
  SAMPLE_PLACEHOLDERS,
  toSamplePath,
} from './code-samples.ts'
export { toCodeTokens } from './code-tokens.ts'
export { fieldMessage } from './field-message.ts'
export { formatClock, formatDate, formatDateTime, formatDayMonth } from './format.ts'
export { formatExactDateTime, formatLongDate, formatZonedDateTime } from './format.ts'
export { formatAxisMoney, formatMoney, formatNumber, formatPercent } from './format.ts'
export { formatDuration, formatRelativeTime, formatWait } from './format-time.ts'
export { findWrongWords } from './lint.ts'
export {
  assertFullIcu,
  DEFAULT_LOCALE,
  HTML_LANG,
  INTL_TAG,
  LOCALE_LABEL,
  LOCALES,
  negotiateLocale,
  parseLocale,
} from './locale.ts'
export { plural } from './plural.ts'
export { textsOf } from './texts.ts'
export { addDays, toDay, toDayStartMs, toHourStartMs } from './zone-days.ts'

export type { SampleLanguage, SampleName } from './code-samples.ts'
export type { CodeTokenKind } from './code-tokens.ts'
export type { Catalogue } from './catalogue-type.ts'
export type { Notice } from './en/checkout.ts'
export type { Explanation } from './en/deliveries.ts'
export type { ErrorText } from './en/errors.ts'
export type { MailFacts, MailKind } from './en/mail.ts'
export { FACTOR_CHANGES, TRANSFER_STAGES } from './mail-facts.ts'
export type {
  DisputeFacts,
  ReceiptFacts,
  TokenRefundFacts,
  ActionFacts,
  IncidentReference,
  MailContact,
  MailText,
  ProjectActionFacts,
  TransferStage,
  UrlChange,
  UrlField,
} from './mail-facts.ts'
export type { FieldCode, FieldFacts } from './field-message.ts'
export type { Locale, LocaleHints } from './locale.ts'
export type { PluralForms } from './plural.ts'
export type { EntryWords, PortalWords, SecurityWords, SetupWords, WorkWords } from './portal-words.ts'
export type { Text } from './texts.ts'
