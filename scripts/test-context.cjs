// Loaded into each test process before `node:test`, to make tests faster. `node:test` uses an async hook to find the test to
// which running code belongs, and the hook runs for every promise. An AsyncLocalStorage replaces the hook here.
const asyncHooks = require('node:async_hooks')

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks
const current = new AsyncLocalStorage()
/** The init function of node:test's hook, which stores a test under its id. Null if Node creates no such hook. */
let register = null

class TestResource extends AsyncResource {
  constructor(...args) {
    super(...args)
    register?.(this.asyncId(), args[0], this.triggerAsyncId(), this)
  }

  runInAsyncScope(run, thisArg, ...args) {
    return super.runInAsyncScope(() => current.run(this, () => run.apply(thisArg, args)))
  }
}

asyncHooks.AsyncResource = TestResource
asyncHooks.createHook = (hooks) => {
  if (!String(hooks.init).includes('testResources')) return createHook(hooks)
  register = hooks.init
  return { enable() {}, disable() {} }
}
asyncHooks.executionAsyncId = () => (register && current.getStore()?.asyncId()) || executionAsyncId()
require('node:test')
// node:test took the replacements when it was loaded. Modules that are loaded later get the originals.
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId })
