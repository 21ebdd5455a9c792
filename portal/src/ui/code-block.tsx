/** Read, scrolled and copied as it is; the keyboard can reach it to scroll. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-80 overflow-auto rounded-control border border-line bg-surface p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
    >
      {text}
    </pre>
  )
}
