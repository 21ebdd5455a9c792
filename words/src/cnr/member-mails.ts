// Why this is long: one list of mails.
import { INVITATION_MAX_DAYS, TRANSFER_OFFER_MAX_DAYS, TRANSFER_WAIT_HOURS } from '@pazar/contract/limits'
import type { MemberRole } from '@pazar/contract'
import type {
  MailText,
  MemberChange,
  MembershipFacts,
  ProjectActionFacts,
  TransferFacts,
  TransferStage,
} from '../mail-facts.ts'
import { SECURE_ACCOUNT } from './factor-mails.ts'

const ROLE_NAMES: Record<MemberRole | 'owner', string> = {
  owner: 'vlasnik',
  admin: 'administrator',
  developer: 'programer',
  finance: 'finansije',
  support: 'podrška',
}

const detailsWithoutIp = ({ project, when, by }: ProjectActionFacts) => [
  `Projekat: ${project}`,
  ...(by === undefined ? [] : [`Sa naloga: ${by}`]),
  `Vrijeme: ${when}`,
]

const details = (facts: ProjectActionFacts) => [
  ...detailsWithoutIp(facts),
  // The IP address and the browser are empty if the person has closed their account.
  ...(facts.ip === '' ? [] : [`IP adresa: ${facts.ip}`, `Pregledač: ${facts.browser}`]),
]

const CHANGES: Record<MemberChange, (member: string, role: string) => string> = {
  joined: (member, role) => `Poziv je prihvaćen. Novi član projekta: ${member}. Uloga: ${role}.`,
  left: (member) => `Član ${member} je napustio projekat i više mu nema pristup.`,
  removed: (member) => `Član ${member} je uklonjen iz projekta i više mu nema pristup.`,
  role: (member, role) => `Promijenjena je uloga člana ${member}. Nova uloga: ${role}.`,
}

const TITLES: Record<MemberChange, (member: string, project: string, role: string) => string> = {
  joined: (member, project) => `Novi član projekta ${project}: ${member}`,
  left: (member, project) => `${member} više nije član projekta ${project}`,
  removed: (member, project) => `Član je uklonjen iz projekta ${project}: ${member}`,
  role: (member, _project, role) => `Nova uloga za ${member}: ${role}`,
}

const toOwnMemberMail = (
  facts: ProjectActionFacts & { member: string; change: MemberChange; role: MemberRole },
): MailText => {
  const { change, member, project } = facts
  const role = ROLE_NAMES[facts.role]
  if (change === 'joined')
    return {
      subject: `Postali ste član projekta ${project}`,
      heading: `Postali ste član projekta ${project}`,
      paragraphs: [`Prihvatili ste poziv i sada ste član projekta. Uloga: ${role}.`],
      details: details(facts),
      action: 'Otvori projekat',
      advice: SECURE_ACCOUNT,
      why: WHY,
    }
  if (change === 'left')
    return {
      subject: `Napustili ste projekat ${project}`,
      heading: `Napustili ste projekat ${project}`,
      paragraphs: ['Više nemate pristup projektu.'],
      details: details(facts),
      advice: `${SECURE_ACCOUNT} Zatim zatražite novi poziv od vlasnika projekta.`,
      why: WHY_REMOVED,
    }
  return {
    subject: TITLES[change](member, project, role),
    heading: TITLES[change](member, project, role),
    paragraphs: [CHANGES[change](member, role)],
    details: details(facts),
    action: 'Otvori stranicu Članovi',
    advice: `${SECURE_ACCOUNT} Zatim na stranici Članovi provjerite ko ima pristup.`,
    why: WHY,
  }
}

const toOwnTitle = ({ project, change, role }: MembershipFacts) =>
  change === 'removed'
    ? `Uklonjeni ste iz projekta ${project}`
    : `Vaša nova uloga u projektu ${project}: ${ROLE_NAMES[role]}`

const WHY = 'Ovu poruku šaljemo jer radite na ovom projektu.'
const WHY_TRANSFER = 'Ovu poruku šaljemo jer radite na ovom projektu ili ste u njega pozvani.'
const WHY_REMOVED = 'Ovu poruku šaljemo jer ste bili član ovog projekta.'

interface TransferText {
  title: (project: string) => string
  to?: Partial<Record<TransferFacts['reader'], Partial<TransferText>>>
  action?: string
  paragraphs: (facts: TransferFacts) => string[]
  points?: readonly string[]
  advice: (facts: TransferFacts) => string
}

const toCancelAdvice = ({ from, to }: TransferFacts) =>
  `Prenos mogu otkazati ${from} i ${to} na stranici Članovi. Ako je jedna od tih adresa vaša, a prenos nijeste očekivali, otkažite ga i promijenite lozinku. Ako ste administrator i nijeste očekivali prenos, pitajte vlasnika (${from}) telefonom ili uživo; prenos možete i sami zaustaviti ako ${to} uklonite iz projekta.`

const TRANSFERS: Record<TransferStage, TransferText> = {
  offered: {
    title: (project) => `Ponuda za prenos projekta ${project}`,
    paragraphs: ({ from, to }) => [
      `${from} želi da vlasnik projekta postane ${to}.`,
      `${to} može prihvatiti ponudu na stranici Članovi u roku od ${TRANSFER_OFFER_MAX_DAYS} dana. Ako još nije član projekta, ta osoba prvo mora da prihvati poziv. Dok ga ne prihvati, ponuda važi samo koliko i poziv. Ništa se ne mijenja prije isteka ${TRANSFER_WAIT_HOURS} sata od prihvatanja prenosa.`,
    ],
    advice: toCancelAdvice,
    to: {
      owner: {
        paragraphs: ({ to }) => [
          `Ponudili ste projekat nalogu ${to}.`,
          `Ponuda se može prihvatiti u roku od ${TRANSFER_OFFER_MAX_DAYS} dana. Ako ta osoba još nije član projekta, prvo mora da prihvati poziv. Dok ga ne prihvati, ponuda važi samo koliko i poziv. Ništa se ne mijenja prije isteka ${TRANSFER_WAIT_HOURS} sata od prihvatanja prenosa.`,
        ],
        advice: () =>
          'Ako ovu ponudu nijeste dali vi, otkažite prenos na stranici Članovi i promijenite lozinku.',
      },
      receiver: {
        title: (project) => `Možete postati vlasnik projekta ${project}`,
        paragraphs: ({ from }) => [
          `${from} vam nudi projekat.`,
          `Ponudu možete prihvatiti na stranici Članovi u roku od ${TRANSFER_OFFER_MAX_DAYS} dana. Ako još nijeste član projekta, prvo prihvatite poziv. Dok ga ne prihvatite, ponuda važi samo koliko i poziv. Ništa se ne mijenja prije isteka ${TRANSFER_WAIT_HOURS} sata od prihvatanja prenosa.`,
        ],
        action: 'Pogledaj ponudu',
        advice: () => 'Ako ne želite projekat, tamo odbijte ponudu ili zanemarite ovu poruku.',
      },
    },
  },
  accepted: {
    title: (project) => `Projekat ${project} dobija novog vlasnika`,
    paragraphs: ({ from, to, takesEffect }) => [
      `Prenos je prihvaćen. Nakon ${takesEffect ?? ''} vlasnik projekta biće ${to}, a ${from} ostaje u projektu kao administrator.`,
      'Plaćanja, povraćaji preko portala i nepotpisani linkovi za plaćanje rade i dalje. Dok prenos ne stupi na snagu, obje strane ga mogu otkazati. Kada stupi na snagu:',
    ],
    points: [
      'Stvarni tajni ključ se zamjenjuje, a stari odmah prestaje da radi.',
      'Novi vlasnik mora novi ključ upisati na server prodavca: dotle server ne može da provjeri stvarna obavještenja.',
      'Linkovi i QR kodovi potpisani starim ključem prestaju da važe.',
      'API tokeni projekta, kao i tokeni dosadašnjeg vlasnika koji nijesu ograničeni na jedan projekat, prestaju da rade.',
    ],
    advice: toCancelAdvice,
  },
  cancelled: {
    title: (project) => `Prenos projekta ${project} je otkazan`,
    paragraphs: ({ from }) => [`Vlasnik projekta ostaje ${from}.`],
    advice: ({ from, to }) =>
      `Obje strane mogu otkazati prenos. Prenos se prekida i ako ${to} više nije ni član ni pozvan, ili dobije ulogu sa manje prava. Ako ovo nijeste očekivali, pogledajte stranicu Članovi ili pitajte ${from}.`,
  },
  expired: {
    title: (project) => `Ponuda za prenos projekta ${project} je istekla`,
    paragraphs: ({ from, to }) => [
      `Ponuda za ${to} nije prihvaćena na vrijeme. Vlasnik projekta ostaje ${from}.`,
    ],
    advice: () => 'Vlasnik može ponovo da ponudi projekat.',
  },
  impossible: {
    title: (project) => `Projekat ${project} nije dobio novog vlasnika`,
    paragraphs: ({ from, to }) => [
      `Projekat trenutno ne može da pređe na ${to}. Vlasnik ostaje ${from}.`,
      'Novi vlasnik mora biti član, imati potvrđenu adresu e-pošte, slobodno mjesto za projekat i, ako se to traži, provjeren identitet. Arhivirani projekat se ne može prenijeti.',
    ],
    advice: () => 'Kada se to riješi, vlasnik može ponovo da ponudi projekat.',
  },
  done: {
    title: (project) => `Projekat ${project} ima novog vlasnika`,
    paragraphs: ({ from, to }) => [
      `Vlasnik projekta je sada ${to}. ${from} ostaje u projektu kao administrator, kojeg vlasnik može ukloniti.`,
    ],
    points: [
      'Stvarni tajni ključ je zamijenjen, a stari više ne radi.',
      'Vlasnik sada mora novi ključ upisati na server prodavca: dotle server ne može da provjeri stvarna obavještenja.',
      'Linkovi i QR kodovi potpisani starim ključem više ne važe.',
      'API tokeni projekta, kao i tokeni dosadašnjeg vlasnika koji nijesu ograničeni na jedan projekat, više ne rade.',
    ],
    advice: () => 'Ako ovo nijeste očekivali, odmah se obratite operateru ovog servisa:',
  },
}

export const memberMails: {
  ownership_transfer: (facts: TransferFacts) => MailText
  project_invitation: (facts: { project: string; by: string | null; role: MemberRole }) => MailText
  member_changed: (
    facts: ProjectActionFacts & { member: string; change: MemberChange; role: MemberRole },
  ) => MailText
  member_email_changed: (facts: ProjectActionFacts & { member: string; formerEmail: string }) => MailText
  membership_changed: (facts: MembershipFacts) => MailText
} = {
  ownership_transfer: (facts) => {
    const words = { ...TRANSFERS[facts.stage], ...TRANSFERS[facts.stage].to?.[facts.reader] }
    return {
      subject: words.title(facts.project),
      heading: words.title(facts.project),
      paragraphs: words.paragraphs(facts),
      points: words.points ?? [],
      details: [
        `Projekat: ${facts.project}`,
        `Vrijeme: ${facts.when}`,
        ...(facts.ip === null ? [] : [`IP adresa: ${facts.ip}`]),
        ...(facts.browser === null ? [] : [`Pregledač: ${facts.browser}`]),
      ],
      action: words.action ?? 'Otvori stranicu Članovi',
      advice: words.advice(facts),
      why: WHY_TRANSFER,
    }
  },

  project_invitation: (facts) => ({
    subject: `Poziv u projekat ${facts.project}`,
    heading: `Poziv u projekat ${facts.project}`,
    paragraphs: [
      `${facts.by === null ? 'Pozvani ste' : `${facts.by} vas poziva`} da radite na projektu „${facts.project}“. Uloga: ${ROLE_NAMES[facts.role]}.`,
      `Link važi ${INVITATION_MAX_DAYS} dana, može se upotrijebiti samo jednom i samo uz nalog sa ovom adresom. Ako nalog nemate, možete se registrovati.`,
    ],
    action: 'Otvori poziv',
    advice: `${facts.by === null ? 'Ako ovaj poziv nijeste očekivali' : 'Ako ne poznajete pošiljaoca'}, zanemarite ovu poruku. Ništa se ne dešava dok poziv ne prihvatite.`,
    why: 'Ovu poruku šaljemo jer je neko upisao vašu adresu. Ako nemate nalog, čuvamo je samo zbog ovog poziva.',
  }),

  member_changed: (facts) =>
    facts.by === undefined
      ? toOwnMemberMail(facts)
      : {
          subject: TITLES[facts.change](facts.member, facts.project, ROLE_NAMES[facts.role]),
          heading: TITLES[facts.change](facts.member, facts.project, ROLE_NAMES[facts.role]),
          paragraphs: [CHANGES[facts.change](facts.member, ROLE_NAMES[facts.role])],
          details: details(
            facts.change === 'joined' || facts.change === 'left' ? { ...facts, by: undefined } : facts,
          ),
          action: 'Otvori stranicu Članovi',
          advice: 'Ako ovo nijeste očekivali, otvorite stranicu Članovi i provjerite ko ima pristup.',
          why: WHY,
        },

  member_email_changed: (facts) =>
    facts.by === undefined
      ? {
          subject: `Vaša nova adresa e-pošte u projektu ${facts.project}`,
          heading: `Vaša nova adresa e-pošte u projektu ${facts.project}`,
          paragraphs: [
            `Vaša adresa u ovom projektu sada je ${facts.member} (ranije ${facts.formerEmail}). Vaš pristup se ne mijenja.`,
          ],
          details: details(facts),
          action: 'Otvori projekat',
          advice: SECURE_ACCOUNT,
          why: WHY,
        }
      : {
          subject: `Član vašeg projekta ima novu adresu e-pošte: ${facts.project}`,
          heading: 'Član vašeg projekta ima novu adresu e-pošte',
          paragraphs: [
            `Dosadašnja adresa: ${facts.formerEmail}. Nova adresa: ${facts.member}. Član i dalje ima pristup, a stranica Članovi prikazuje novu adresu.`,
          ],
          details: details(facts),
          action: 'Otvori stranicu Članovi',
          advice:
            'Ako ovo nijeste očekivali, pitajte tu osobu telefonom ili uživo i, ako treba, uklonite je na stranici Članovi.',
          why: WHY,
        },

  membership_changed: (facts) => ({
    subject: toOwnTitle(facts),
    heading: toOwnTitle(facts),
    paragraphs: [
      facts.change === 'removed'
        ? 'Više nemate pristup projektu.'
        : `Vaša nova uloga u projektu: ${ROLE_NAMES[facts.role]}.`,
    ],
    details: detailsWithoutIp(facts),
    ...(facts.change === 'role' ? { action: 'Otvori projekat' } : {}),
    advice: 'Ako imate pitanja, pišite vlasniku projekta.',
    why: facts.change === 'removed' ? WHY_REMOVED : WHY,
  }),
}
