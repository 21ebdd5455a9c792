import type { ReactNode } from 'react'

export interface SectionProps {
  title: string
  text: string
  children: ReactNode
}

export function Section({ title, text, children }: SectionProps) {
  return (
    <section className="grid min-w-0 gap-x-10 gap-y-5 rounded-card border border-line bg-raised p-4 sm:p-6 lg:grid-cols-[14rem_minmax(0,36rem)]">
      <div>
        <h2 className="text-base font-strong">{title}</h2>
        <p className="text-sm text-muted">{text}</p>
      </div>
      <div className="grid min-w-0 content-start gap-5">{children}</div>
    </section>
  )
}
