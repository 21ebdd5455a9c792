// Loaded into each test process before `node:test`, to make tests faster. By default `node:test` uses an async hook to find
// the test to which running code belongs. The hook runs whenever a promise is created or collected. In tests that start no
// programs it takes a seventh of the processor time. Here an AsyncLocalStorage, which V8 passes on by itself, has the test.
const asyncHooks = require('node:async_hooks')

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks
const current = new AsyncLocalStorage()
/**
 * The init function of node:test's hook, which stores a test under its id. Null before node:test creates the hook, and in
 * releases of Node that have another hook.
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
