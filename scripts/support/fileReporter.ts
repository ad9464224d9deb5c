import { relative } from 'node:path';
import Mocha from 'mocha';
import { failedFileLine } from './failedFiles';
import { root } from './paths';

/** Mocha's `spec` that also names the files of what failed, so that they can be tried once more. */
class FileReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const failed = new Set<string>();
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, ({ file, parent }) => {
      const path = file ?? parent?.file;
      if (path !== undefined) failed.add(path);
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      for (const path of failed) console.log(failedFileLine(relative(root, path)));
    });
  }
}

// Mocha asks for it by this name.
export { FileReporter as default };
