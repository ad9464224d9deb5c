import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CustomTrainer } from '../../../../../src/service/training/custom/customTrainer';
import type { ScriptLimits } from '../../../../../src/service/training/custom/scriptLimits';
import {
  type CustomTraining,
  TrainingFailure,
  type TrainingLine,
} from '../../../../../src/service/training/trainingRunner';
import { describeWithPython } from '../../../../support/withPython';
import { type RawEntry, rawArchive, TestFolder } from '../../../archives/support';

/** Begins every script of the tests: what it is told, and where its images are. */
const HEAD = `
import argparse, json, os, signal, subprocess, sys, time
parser = argparse.ArgumentParser()
parser.add_argument('--dataset_file')
parser.add_argument('--model_output_directory')
args, others = parser.parse_known_args()
def write(name, text):
    with open(os.path.join(args.model_output_directory, name), 'w') as file:
        file.write(text)
`;

/** A training of a script, in a folder that is gone after the test. */
class Trial {
  readonly lines: TrainingLine[] = [];
  readonly training: CustomTraining;
  private readonly stop = new AbortController();

  constructor(
    private readonly folder: TestFolder,
    script: string | readonly RawEntry[],
    given: Readonly<Record<string, string>> = {},
  ) {
    const entries =
      typeof script === 'string' ? [{ path: 'model/training.py', content: HEAD + script }] : script;
    mkdirSync(join(folder.path, 'output'));
    folder.file('data/one.png', 'an image');
    this.training = {
      kind: 'custom',
      folder: folder.path,
      datasetFile: folder.file('dataset.jsonl', '{"image_path":"data/one.png","n":1}\n'),
      outputFolder: join(folder.path, 'output'),
      archive: folder.file('script.tar.gz', rawArchive(entries)),
      arguments: given,
    };
  }

  run(limits: Partial<ScriptLimits> = {}, environment = process.env): Promise<void> {
    const trainer = new CustomTrainer({ environment, limits: { lookMs: 50, ...limits } });
    return trainer.run(this.training, {
      signal: this.stop.signal,
      log: async (line) => {
        this.lines.push(line);
        await Promise.resolve();
      },
    });
  }

  cancel(): void {
    this.stop.abort(new Error('canceled'));
  }

  get messages(): string[] {
    return this.lines.map(({ message }) => message);
  }

  async says(message: string): Promise<void> {
    while (!this.messages.includes(message)) await delay(5);
  }

  output(name: string): string {
    return readFileSync(join(this.folder.path, 'output', name), 'utf8');
  }
}

function failedWith(pattern: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof TrainingFailure, String(error));
    assert.match(error.message, pattern);
    return true;
  };
}

async function isGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      // One that waits for its parent to ask is gone, too.
      if (readFileSync(`/proc/${String(pid)}/stat`, 'latin1').includes(') Z ')) return;
    } catch {
      return;
    }
    await delay(5);
  }
}

describe('a custom training', function () {
  this.timeout(60_000);
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
  });

  afterEach(() => folder[Symbol.dispose]());

  it('says what to install where there is no Python', async () => {
    mkdirSync(join(folder.path, 'bin'));
    const trial = new Trial(folder, '');
    await assert.rejects(
      trial.run({}, { PATH: join(folder.path, 'bin') }),
      failedWith(/need Python 3, and python3.*not found.*Install Python 3/),
    );
  });

  it('says what is wrong with an archive, before anything of it is run', async () => {
    const link = { path: 'model', type: 'SymbolicLink', linkpath: '/etc' } as const;
    await assert.rejects(
      new Trial(folder, [link]).run(),
      failedWith(/archive of the training script is not used\. Its entry "model" is a link/),
    );
  });

  it('says what is missing in an archive', async () => {
    await assert.rejects(
      new Trial(folder, [{ path: 'a/b/model/training.py', content: '' }]).run(),
      failedWith(/no file model\/training\.py/),
    );
  });

  it('does not guess which of several packages is meant', async () => {
    const entries = ['b', 'a'].map((name) => ({ path: `${name}/model/training.py` }));
    await assert.rejects(new Trial(folder, entries).run(), failedWith(/several folders: a, b\./));
  });

  for (const name of ['dataset_file', 'two words', '-x', '']) {
    it(`refuses the argument ${JSON.stringify(name)}`, async () => {
      await assert.rejects(new Trial(folder, '', { [name]: '1' }).run(), failedWith(/argument/));
    });
  }

  describeWithPython('with Python', () => {
    it('runs the script with its dataset, its arguments and a folder for the model', async () => {
      const trial = new Trial(
        folder,
        `
item = json.loads(open(args.dataset_file).readline())
write('model.txt', json.dumps([open(item['image_path']).read(), item['n'], others]))
print('Epoch 1/1 - loss: 0.5')
print('WARNING: few images', file=sys.stderr)
`,
        { num_epochs: '3', labels: "a b';$(touch x)" },
      );
      await trial.run();
      assert.deepEqual(JSON.parse(trial.output('model.txt')), [
        'an image',
        1,
        ['--num_epochs=3', "--labels=a b';$(touch x)"],
      ]);
      assert.match(trial.messages[0] ?? '', /^Running model\.training with Python 3\./);
      assert.deepEqual(
        trial.lines.slice(1).toSorted((a, b) => (a.message < b.message ? -1 : 1)),
        [
          { level: 'info', message: 'Epoch 1/1 - loss: 0.5' },
          { level: 'warn', message: 'WARNING: few images' },
        ],
      );
    });

    it('finds the package a folder down, with what it imports', async () => {
      const trial = new Trial(folder, [
        { path: 'trainer-0.1/setup.py', content: 'raise SystemExit(9)' },
        { path: 'trainer-0.1/model/__init__.py' },
        { path: 'trainer-0.1/model/name.py', content: "NAME = 'beside'" },
        {
          path: 'trainer-0.1/model/training.py',
          content: `from .name import NAME\n${HEAD}\nwrite('model.txt', NAME)`,
        },
      ]);
      await trial.run();
      assert.equal(trial.output('model.txt'), 'beside');
    });

    it('runs it in an empty folder and tells it nothing of the service', async () => {
      const trial = new Trial(
        folder,
        `
write('seen.json', json.dumps({'files': os.listdir('.'), 'environment': dict(os.environ)}))
`,
      );
      await trial.run({}, { ...process.env, NODE_OPTIONS: '--no-warnings', FLEETWRIGHT_KEY: 'x' });
      const { files, environment } = JSON.parse(trial.output('seen.json')) as {
        files: string[];
        environment: Record<string, string>;
      };
      assert.deepEqual(files, []);
      const told = Object.keys(environment).filter(
        (name) => !/^(PATH|LC_CTYPE|LD_LIB.*)$/.test(name),
      );
      assert.deepEqual(told.sort(), [
        ...['HOME', 'LANG', 'PYTHONDONTWRITEBYTECODE', 'PYTHONPATH', 'PYTHONUNBUFFERED'],
        ...['PYTHONUSERBASE', 'PYTHONUTF8', 'TEMP', 'TMP', 'TMPDIR', 'USERPROFILE'],
      ]);
      assert.ok(environment.HOME?.startsWith(folder.path));
      assert.ok(environment.TMPDIR?.startsWith(folder.path));
    });

    it('fails with the exception that ended the script', async () => {
      const trial = new Trial(folder, "raise ValueError('no images of cats')");
      await assert.rejects(
        trial.run(),
        failedWith(/ended with code 1: ValueError: no images of cats\. Its log/),
      );
      assert.ok(trial.lines.some(({ level }) => level === 'error'));
    });

    it('says which package to install where one is missing', async () => {
      const trial = new Trial(folder, 'import a_package_nobody_has.part');
      await assert.rejects(trial.run(), failedWith(/install a_package_nobody_has there/));
    });

    it('fails where the script wrote no model', async () => {
      const trial = new Trial(folder, "os.mkdir(os.path.join(args.model_output_directory, 'a'))");
      await assert.rejects(trial.run(), failedWith(/wrote no model/));
    });

    it('ends the script and what it started when it is canceled', async () => {
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
      await trial.says('started');
      trial.cancel();
      await assert.rejects(run, /^Error: canceled$/);
      for (const name of ['child', 'own']) await isGone(Number(trial.output(name)));
    });

    it('ends a script that does not want to end', async () => {
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
      await trial.says('started');
      trial.cancel();
      await assert.rejects(run, /canceled/);
      await isGone(Number(trial.output('own')));
    });

    it('lets a script that is canceled clean up', async () => {
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
      await trial.says('started');
      trial.cancel();
      await assert.rejects(run, /canceled/);
      assert.equal(trial.output('cleaned'), 'up');
    });

    it('ends what a script leaves behind', async () => {
      const trial = new Trial(
        folder,
        `
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
write('child', str(child.pid))
`,
      );
      await trial.run();
      await isGone(Number(trial.output('child')));
    });

    it('ends what left the group of the script', async function () {
      // Other systems do not tell the environment of processes.
      if (process.platform !== 'linux') this.skip();
      const trial = new Trial(
        folder,
        `
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)
write('child', str(child.pid))
`,
      );
      await trial.run();
      await isGone(Number(trial.output('child')));
    });

    it('ends a script after its time', async () => {
      const trial = new Trial(folder, 'time.sleep(600)');
      await assert.rejects(
        trial.run({ seconds: 0.2 }),
        failedWith(/ended after 0\.2 seconds, which is as long as one may take/),
      );
    });

    it('ends a script that takes too much memory, also in what it starts', async function () {
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
        failedWith(/more than 150 MiB of memory/),
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

    it('takes all of what a script says, in its order', async () => {
      const trial = new Trial(
        folder,
        `
for number in range(5000):
    print('line', number)
write('model.txt', '')
`,
      );
      await trial.run();
      assert.deepEqual(
        trial.messages.slice(1),
        Array.from({ length: 5000 }, (_, number) => `line ${String(number)}`),
      );
    });

    it('begins anew where another run was cut off', async () => {
      const trial = new Trial(folder, "write('model.txt', str(os.listdir('.')))");
      mkdirSync(join(folder.path, 'custom', 'work'), { recursive: true });
      writeFileSync(join(folder.path, 'custom', 'work', 'left'), '');
      await trial.run();
      assert.equal(trial.output('model.txt'), '[]');
      assert.ok(!existsSync(join(folder.path, 'custom', 'work', 'left')));
    });
  });
});
