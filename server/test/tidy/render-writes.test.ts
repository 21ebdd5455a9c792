import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRenderWrites } from './render-writes.ts'
import { sourceFile } from './source-file.ts'

function linesOf(text: string): number[] {
  return checkRenderWrites([sourceFile('portal/src/parts/x.tsx', text)]).map(({ line }) => line)
}

test('a component or hook that writes to storage in its body is found', () => {
  assert.deepEqual(linesOf(`function Page() {\n  if (a) {\n localStorage.setItem('a', 'b') }\n}`), [3])
  assert.deepEqual(linesOf(`export function useSteps() {\n  sessionStorage.removeItem('a')\n}`), [2])
  assert.deepEqual(linesOf(`function Page() {\n  document.cookie = 'a=b'\n}`), [2])
  assert.deepEqual(linesOf(`function Page() {\n const [a] = useState(() => localStorage.clear())\n}`), [2])
  assert.deepEqual(linesOf(`function Page() {\n const [a] = useState<A>(() => localStorage.clear())\n}`), [2])
  assert.deepEqual(linesOf(`function Page() {\n  if (a) choice.write('b')\n}`), [2])
  assert.deepEqual(linesOf(`function Page() {\n useMemo(() => {\n localStorage.clear()\n }, [])\n}`), [3])
})

test('reading is allowed everywhere, and writing is allowed in handlers, effects and plain functions', () => {
  const text = `function Page() {
    const stored = localStorage.getItem('a')
    useEffect(() => { localStorage.setItem('a', 'b') }, [])
    function onSave() { localStorage.setItem('a', 'b') }
    return <b onClick={() => localStorage.setItem('a', 'b')} />
  }
  export function save(): void { sessionStorage.setItem('a', 'b') }`
  assert.deepEqual(linesOf(text), [])
})
