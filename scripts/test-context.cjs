// Loaded into each test process before `node:test`. By default `node:test` finds the test that code belongs to with an async
// hook. That hook runs for every promise that is created and collected, and costs a seventh of the processor time of tests
// that do not start programs. Here the current test is stored in an AsyncLocalStorage instead, which V8 passes on by itself.
const asyncHooks = require('node:async_hooks')

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks
const current = new AsyncLocalStorage()
/**
 * Remembers a test under its id. Null until node:test has passed its hook, and in releases of Node that have another hook.
 */
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
// Only node:test, which is loaded now, has the replacements.
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId })
