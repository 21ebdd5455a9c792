import { useState } from 'react'
import type { ReactNode } from 'react'
import { Download, ExternalLink, Printer, QrCode, Share2 } from 'lucide-react'
import { words } from '../../ui/language.ts'
import { useDebounced } from '../../ui/use-debounced.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { toModeName } from '../../parts/mode.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Choice } from '../../ui/field.tsx'
import { Failed } from '../../parts/failed.tsx'
import { drawQr, useLink } from './link-options.ts'
import type { LinkOptions, Picture, ReadyLink } from './link-options.ts'
import { PrintDialog } from './print-dialog.tsx'

export interface LinkResultProps {
  options: LinkOptions | null
  projectName: string
  canDrawQr: boolean
}

export function LinkResult({ options, projectName, canDrawQr }: LinkResultProps) {
  const { link } = words()
  const debouncedOptions = useDebounced(options)
  const { data, error, refetch, isPlaceholderData } = useLink(debouncedOptions, canDrawQr)
  const isStale =
    options === null || isPlaceholderData || JSON.stringify(options) !== JSON.stringify(data?.options)
  if (options === null && !data) return <NoLinkYet canDrawQr={canDrawQr} />
  return (
    <Card>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data && (
        <p
          className={classNames('text-center font-medium wrap-anywhere', isStale && 'opacity-40')}
          data-screen
        >
          {[
            data.options.mode === 'test' && toModeName('test'),
            formatAmount(data.options.amount),
            data.options.data,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      {canDrawQr && (
        <div
          data-theme="light"
          className={classNames(
            'mx-auto grid aspect-square w-full max-w-72 place-items-center rounded-control bg-white',
            isStale && 'opacity-40',
          )}
        >
          {data?.picture ? (
            <img
              src={data.picture}
              alt={link.qrAlt(formatAmount(data.options.amount))}
              className="size-full"
            />
          ) : (
            <div className="size-full animate-pulse bg-surface" />
          )}
        </div>
      )}
      {options === null && <p className="text-sm text-muted">{link.stale}</p>}
      {data && (
        // A result that no longer matches the fields can be neither copied nor printed.
        <div inert={isStale} className={classNames('grid gap-4', isStale && 'opacity-40')}>
          <div className="grid gap-1.5" data-screen>
            <p className="text-sm font-medium">{link.url}</p>
            <p className="rounded-control border border-line bg-surface p-3 font-mono text-xs wrap-anywhere">
              {data.url}
            </p>
            <p className="text-xs text-muted">{link.parameters}</p>
          </div>
          <LinkActions ready={data} projectName={projectName} />
        </div>
      )}
    </Card>
  )
}

function NoLinkYet({ canDrawQr }: { canDrawQr: boolean }) {
  const { link } = words()
  return (
    <Card>
      <div className="grid justify-items-center gap-2 px-4 py-12 text-center">
        <QrCode aria-hidden className="size-16 text-muted" />
        <p className="mt-2 text-base font-strong">{canDrawQr ? link.emptyTitle : link.emptyTitleNoQr}</p>
        <p className="max-w-sm text-sm text-muted">{link.emptyText}</p>
      </div>
    </Card>
  )
}

async function share(url: string): Promise<void> {
  try {
    await navigator.share({ url })
  } catch {
    // The user closed the share sheet, or sharing failed. The link can still be copied.
  }
}

function LinkActions({ ready, projectName }: { ready: ReadyLink; projectName: string }) {
  const { url, options, picture } = ready
  const { link } = words()
  const [printing, setPrinting] = useState(false)
  const canShare = typeof navigator.share === 'function'
  return (
    <div className="grid gap-4" data-screen>
      <div className="flex flex-wrap gap-2 max-sm:*:flex-1 max-sm:*:basis-[calc(50%-0.5rem)]">
        <CopyButton small={false} kind="main" text={url} label={link.copy} />
        <a className={buttonClass()} href={url} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden className="size-4" />
          {link.open}
        </a>
        {canShare && (
          <Button icon={<Share2 aria-hidden className="size-4" />} onClick={() => void share(url)}>
            {link.share}
          </Button>
        )}
      </div>
      {picture !== null && (
        <QrActions options={options}>
          <Button icon={<Printer aria-hidden className="size-4" />} onClick={() => setPrinting(true)}>
            {link.printQr}
          </Button>
        </QrActions>
      )}
      {printing && <PrintDialog ready={ready} projectName={projectName} onClose={() => setPrinting(false)} />}
    </div>
  )
}

const SIZES = ['512', '1024', '2048'] as const

async function download(options: LinkOptions, picture: Picture): Promise<void> {
  const address = URL.createObjectURL(await drawQr(options, picture))
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = `qr-${options.amount}.${picture.format}`
  anchor.click()
  URL.revokeObjectURL(address)
}

function QrActions({ options, children }: { options: LinkOptions; children: ReactNode }) {
  const { link } = words()
  const [size, setSize] = useState<(typeof SIZES)[number]>('1024')
  const [failure, setFailure] = useState<{ options: LinkOptions; error: unknown } | null>(null)
  const save = (picture: Picture) =>
    void download(options, picture).then(
      () => setFailure(null),
      (error: unknown) => setFailure({ options, error }),
    )
  const icon = <Download aria-hidden className="size-4" />
  return (
    <div className="grid gap-2">
      {/* The error of an earlier QR code is not shown for the current QR code. */}
      {failure?.options === options && <Failed error={failure.error} />}
      <div className="flex flex-wrap items-end gap-2 max-sm:*:grow">
        {children}
        <Button icon={icon} onClick={() => save({ format: 'svg' })}>
          {link.svg}
        </Button>
        <div className="flex items-end gap-2">
          <Choice
            label={link.size}
            value={size}
            options={SIZES.map((value) => ({ value, label: `${value} × ${value}` }))}
            onChoice={setSize}
            className="grow"
          />
          <Button icon={icon} onClick={() => save({ format: 'png', size: Number(size) })}>
            {link.png}
          </Button>
        </div>
      </div>
    </div>
  )
}
