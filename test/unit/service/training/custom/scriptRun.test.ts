import assert from 'node:assert/strict';
import { describeWithPython } from '../../../../support/withPython';
import { TestFolder } from '../../../../support/archives';
import { waitUntilExited } from '../../../../support/waitUntilExited';
import { failedWith, Trial } from './support';

describeWithPython('the run of a training script', function () {
  this.timeout(120_000);
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
  });

  afterEach(() => folder[Symbol.dispose]());

  it('ends a canceled script and the processes that it started', async () => {
    const trial = new Trial(
      folder,
      `
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
write('child', str(child.pid))
write('own', str(os.getpid()))
print('started')
time.sleep(600)
`,
    );
    const run = trial.run();
    await trial.waitForMessage('started');
    trial.cancel();
    await assert.rejects(run, /^Error: canceled$/);
    for (const name of ['child', 'own']) await waitUntilExited(Number(trial.output(name)));
  });

  it('ends a script that ignores SIGTERM', async () => {
    const trial = new Trial(
      folder,
      `
signal.signal(signal.SIGTERM, signal.SIG_IGN)
write('own', str(os.getpid()))
print('started')
time.sleep(600)
`,
    );
    const run = trial.run({ graceMs: 50 });
    await trial.waitForMessage('started');
    trial.cancel();
    await assert.rejects(run, /canceled/);
    await waitUntilExited(Number(trial.output('own')));
  });

  it('allows a canceled script to clean up', async () => {
    const trial = new Trial(
      folder,
      `
def end(*_):
    write('cleaned', 'up')
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
print('started')
time.sleep(600)
`,
    );
    const run = trial.run();
    await trial.waitForMessage('started');
    trial.cancel();
    await assert.rejects(run, /canceled/);
    assert.equal(trial.output('cleaned'), 'up');
  });

  it('ends processes that a script leaves running', async () => {
    const trial = new Trial(
      folder,
      `
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
write('child', str(child.pid))
`,
    );
    await trial.run();
    await waitUntilExited(Number(trial.output('child')));
  });

  it('ends processes that left the group of the script', async function () {
    // Other systems don't report the environment of processes.
    if (process.platform !== 'linux') this.skip();
    const trial = new Trial(
      folder,
      `
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)
write('child', str(child.pid))
`,
    );
    await trial.run();
    await waitUntilExited(Number(trial.output('child')));
  });

  it('ends a script after its time limit', async () => {
    const trial = new Trial(folder, 'time.sleep(600)');
    await assert.rejects(
      trial.run({ seconds: 0.2 }),
      failedWith(/exceeded the time limit of 0\.2 seconds/),
    );
  });

  it('ends a script that uses too much memory, including its child processes', async function () {
    if (process.platform === 'win32') this.skip();
    const trial = new Trial(
      folder,
      `
hog = "import time; held = bytearray(200 << 20); time.sleep(600)"
subprocess.run([sys.executable, '-c', hog])
`,
    );
    await assert.rejects(
      trial.run({ memoryBytes: 150 * 1024 ** 2, graceMs: 500 }),
      failedWith(/memory limit of 150 MiB/),
    );
  });

  it('rejects the model of a script that wrote too much between two checks', async () => {
    const trial = new Trial(folder, "write('model.txt', 'x' * (4 << 20))");
    await assert.rejects(
      trial.run({ diskBytes: 2 * 1024 ** 2, checkIntervalMs: 600_000 }),
      failedWith(/wrote more than 2 MiB/),
    );
  });

  it('counts files that a script writes outside of its folder', async () => {
    const trial = new Trial(
      folder,
      `
with open(os.path.join(os.path.dirname(__file__), 'large'), 'wb') as file:
    file.write(bytes(4 << 20))
write('model.txt', '')
`,
    );
    await assert.rejects(
      trial.run({ diskBytes: 2 * 1024 ** 2 }),
      failedWith(/wrote more than 2 MiB/),
    );
  });

  it('ends a script that writes too much', async () => {
    const trial = new Trial(
      folder,
      `
with open('large', 'wb') as file:
    file.write(bytes(4 << 20))
time.sleep(600)
`,
    );
    await assert.rejects(
      trial.run({ diskBytes: 2 * 1024 ** 2, graceMs: 500 }),
      failedWith(/wrote more than 2 MiB/),
    );
  });
});
