import { INVITATION_MAX_DAYS } from '@pazar/contract/limits'
import type { MemberRole } from '@pazar/contract'
import type { MailText, MemberChange, ProjectHappening } from '../mail-facts.ts'

export const ROLE_NAMES: Record<MemberRole | 'owner', string> = {
  owner: 'vlasnik',
  admin: 'administrator',
  developer: 'programer',
  finance: 'finansije',
  support: 'podrška',
}

const details = ({ project, when, ip, browser, by }: ProjectHappening) => [
  `Projekat: ${project}`,
  ...(by === undefined ? [] : [`Nalog: ${by}`]),
  `Vrijeme: ${when}`,
  `IP adresa: ${ip}`,
  `Pregledač: ${browser}`,
]

const CHANGES: Record<MemberChange, (member: string, role: string) => string> = {
  joined: (member, role) => `Poziv je prihvaćen. Novi član projekta: ${member}. Uloga: ${role}.`,
  left: (member) => `Član je napustio projekat i više nema pristup: ${member}.`,
  removed: (member) => `Član je uklonjen iz projekta i više nema pristup: ${member}.`,
  role: (member, role) => `Članu je promijenjena uloga: ${member}. Nova uloga: ${role}.`,
}

const WHY = 'Ovu poruku šaljemo jer radite na ovom projektu.'
const WHY_REMOVED = 'Ovu poruku šaljemo jer ste bili član ovog projekta.'

export const memberMails: {
  project_invitation: (facts: { project: string; by: string; role: MemberRole }) => MailText
  member_changed: (
    facts: ProjectHappening & { member: string; change: MemberChange; role: MemberRole },
  ) => MailText
  membership_changed: (facts: ProjectHappening & { change: 'removed' | 'role'; role: MemberRole }) => MailText
} = {
  project_invitation: (facts) => ({
    subject: `Poziv u projekat ${facts.project}`,
    heading: 'Pozvani ste u projekat',
    paragraphs: [
      `${facts.by} vas poziva da radite na projektu „${facts.project}“. Uloga: ${ROLE_NAMES[facts.role]}.`,
      `Link važi ${INVITATION_MAX_DAYS} dana, može se upotrijebiti samo jednom i samo uz nalog sa ovom adresom. Ako nalog nemate, možete ga otvoriti.`,
    ],
    action: 'Otvori poziv',
    advice: 'Ako ne poznajete pošiljaoca, zanemarite ovu poruku. Ništa se ne dešava dok poziv ne prihvatite.',
    why: 'Ovu poruku šaljemo jer je neko upisao vašu adresu. Ni za šta drugo je ne čuvamo.',
  }),

  member_changed: (facts) => ({
    subject: `Promijenili su se članovi vašeg projekta: ${facts.project}`,
    heading: 'Promijenili su se članovi vašeg projekta',
    paragraphs: [CHANGES[facts.change](facts.member, ROLE_NAMES[facts.role])],
    details: details(facts),
    advice: 'Ako ovo nijeste očekivali, otvorite stranicu Članovi i ispravite to.',
    why: WHY,
  }),

  membership_changed: (facts) => ({
    subject: `Promijenio se vaš pristup projektu: ${facts.project}`,
    heading: 'Promijenio se vaš pristup projektu',
    paragraphs: [
      facts.change === 'removed'
        ? 'Uklonjeni ste iz projekta i više nemate pristup.'
        : `Vaša nova uloga u projektu: ${ROLE_NAMES[facts.role]}.`,
    ],
    details: details({ ...facts, ip: '–', browser: '–' }).filter((line) => !line.endsWith('–')),
    advice: 'Ako imate pitanja, pišite vlasniku projekta.',
    why: facts.change === 'removed' ? WHY_REMOVED : WHY,
  }),
}
