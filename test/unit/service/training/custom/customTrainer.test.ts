import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPython } from '../../../../support/withPython';
import { TestFolder } from '../../../../support/archives';
import { failedWith, HEAD, Trial } from './support';

describe('CustomTrainer', function () {
  this.timeout(120_000);
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
  });

  afterEach(() => folder[Symbol.dispose]());

  it('explains what to install if Python is missing', async () => {
    mkdirSync(join(folder.path, 'bin'));
    const trial = new Trial(folder, '');
    await assert.rejects(
      trial.run({}, { PATH: join(folder.path, 'bin') }),
      failedWith(/need Python 3, but python3.*not found.*Install Python 3/),
    );
  });

  it('reports errors of an archive before it runs anything', async () => {
    const link = { path: 'model', type: 'SymbolicLink', linkpath: '/etc' } as const;
    await assert.rejects(
      new Trial(folder, [link]).run(),
      failedWith(/archive of the training script can't be used\. Its entry "model" is a link/),
    );
  });

  it('reports what is missing in an archive', async () => {
    await assert.rejects(
      new Trial(folder, [{ path: 'a/b/model/training.py', content: '' }]).run(),
      failedWith(/no file model\/training\.py/),
    );
  });

  it('does not guess which of several packages to run', async () => {
    const entries = ['b', 'a'].map((name) => ({ path: `${name}/model/training.py` }));
    await assert.rejects(new Trial(folder, entries).run(), failedWith(/several folders: a, b\./));
  });

  for (const name of ['dataset_file', 'two words', '-x', '2x', '']) {
    it(`rejects the argument ${JSON.stringify(name)}`, async () => {
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
        { num_epochs: '3', _seed: '7', labels: "a b';$(touch x)" },
      );
      await trial.run();
      assert.deepEqual(JSON.parse(trial.output('model.txt')), [
        'an image',
        1,
        ['--num_epochs=3', '--_seed=7', "--labels=a b';$(touch x)"],
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

    it('runs Python without the files in the folder of the service', async () => {
      folder.file('json.py', "raise SystemExit('not the library')");
      const before = process.cwd();
      process.chdir(folder.path);
      try {
        await new Trial(folder, "write('model.txt', '')").run();
      } finally {
        process.chdir(before);
      }
    });

    it('finds the package in a subfolder, with its imports', async () => {
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

    it('runs the script in an empty folder, and hides the environment of the service', async () => {
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
      const passedNames = Object.keys(environment).filter(
        (name) => !/^(PATH|LC_CTYPE|LD_LIB.*)$/.test(name),
      );
      assert.deepEqual(passedNames.sort(), [
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
        failedWith(/exited with code 1: ValueError: no images of cats\. See its log/),
      );
      assert.ok(trial.lines.some(({ level }) => level === 'error'));
    });

    it('names the package to install if one is missing', async () => {
      const trial = new Trial(folder, 'import a_package_nobody_has.part');
      await assert.rejects(trial.run(), failedWith(/Install a_package_nobody_has there/));
    });

    it('fails if the script wrote no model', async () => {
      const trial = new Trial(folder, "os.mkdir(os.path.join(args.model_output_directory, 'a'))");
      await assert.rejects(trial.run(), failedWith(/didn't write a model/));
    });

    it('fails if the script wrote more files than a model can have', async () => {
      const trial = new Trial(folder, "for name in 'abc': write(name, '')");
      await trial.run({ modelFiles: 3 });
      await assert.rejects(
        trial.run({ modelFiles: 2 }),
        failedWith(/a model with 3 files\. The maximum is 2\./),
      );
    });

    it('receives all output of a script in order', async () => {
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

    it('starts over after an interrupted run', async () => {
      const trial = new Trial(folder, "write('model.txt', str(os.listdir('.')))");
      mkdirSync(join(folder.path, 'custom', 'work'), { recursive: true });
      writeFileSync(join(folder.path, 'custom', 'work', 'left'), '');
      await trial.run();
      assert.equal(trial.output('model.txt'), '[]');
      assert.ok(!existsSync(join(folder.path, 'custom', 'work', 'left')));
    });
  });
});
