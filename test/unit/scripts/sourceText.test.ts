import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot, root } from '../../../scripts/support/paths';

interface TextRule {
  pattern: RegExp;
  reason: string;
  /** Folder to which the rule applies; if absent, it applies everywhere. */
  folder?: string;
  /** Files that are exempt from the rule. */
  except?: readonly string[];
}

const OTHER_SYSTEMS = 'It runs on Windows too. Add a branch with a test for platform "win32".';

// Rules that the linter doesn't support, implemented as text patterns.
const rules: Record<string, TextRule> = {
  'an export of everything': {
    pattern: /^export \* /m,
    reason: 'Export by name: a barrel hides where an export comes from.',
  },
  'a comment that begins with a clause': {
    pattern: /^\s*(?:\/\/|\/\*\*?|\*) (?:What|Whether|How (?:many|much|long)|Those)\b/m,
    reason: 'Begin with a noun or a verb: "Number of…", "Returns true if…", "Parameters of…".',
  },
  'an error class without the suffix Error': {
    pattern: /\bclass (?!\w*Error\b)\w+ extends \w*Error\b/,
    reason: 'Name it after the problem and end the name in "Error", for example "FileExistsError".',
  },
  'an error class with another name in its messages': {
    // Subclasses of FleetError keep its name: code tells them apart by their class or kind.
    pattern: /\bclass (\w+) extends Error \{(?!\s*override readonly name = '\1';)/,
    reason: 'Begin the class with "override readonly name", which equals the name of the class.',
    // Each script of a webview has its own copy of this class.
    except: ['webview/data/clouds/cloudViewer.ts'],
  },
  'a raw context key': {
    pattern: /['"]setContext['"]/,
    reason: 'Set context keys through src/host/platform/commands/contextKeys.ts, which types them.',
    except: ['src/host/platform/commands/contextKeys.ts'],
  },
  'a disabled lint rule': {
    pattern: /\/[/*]\s*oxlint-disable/,
    reason: 'Fix the code, or change the rule for everyone in .oxlintrc.json.',
  },
  'a signal to a process, which Windows does not support': {
    pattern: /\bprocess\.kill\(/,
    reason: OTHER_SYSTEMS,
    folder: 'src/',
    except: [
      'src/builds/signalTree.ts',
      // On Windows, this ends the service immediately; its store survives this, as it survives kill
      // -9.
      'src/host/features/localFleet/serviceProcess.ts',
      'src/processes/isRunning.ts',
      'src/service/processes/processGuard.ts',
      'src/service/training/custom/scriptProcesses.ts',
    ],
  },
  'a Unix path': {
    // Paths on machines are allowed, such as /etc and the devices in configs.
    pattern: /['"`]\/(?:bin|proc|tmp|dev\/(?:null|shm|stdin|stdout|stderr))\b/,
    reason: OTHER_SYSTEMS,
    folder: 'src/',
    except: [
      'src/service/processes/processGuard.ts',
      'src/service/training/custom/scriptProcesses.ts',
    ],
  },
  'a change of file permissions, which Windows does not have': {
    pattern: /\bf?chmod(?:Sync)?\(/,
    reason: OTHER_SYSTEMS,
    folder: 'src/',
    except: [
      'src/host/features/modules/generate/writeFolder.ts',
      'src/host/features/modules/manifest/manifestFixes.ts',
      'src/service/training/trainingFolders.ts',
    ],
  },
  'a check for executable bits, which Windows does not have': {
    pattern: /ANY_EXECUTE\) !== 0|\bX_OK\b/,
    reason: OTHER_SYSTEMS,
    folder: 'src/',
    except: [
      'src/archives/archiveEntries.ts',
      'src/archives/folderEntries.ts',
      'src/archives/inspectFile.ts',
      'src/moduleRun/moduleProcess.ts',
    ],
  },
  'a Unix program': {
    pattern:
      /\b(?:spawn|exec(?:File)?)(?:Sync|Async)?\)?\(\s*['"](?:ba|z)?(?:sh|ps|rm|cp|mv|tar|chmod|kill|which|open)['"]/,
    reason: OTHER_SYSTEMS,
    folder: 'src/',
    except: ['src/builds/signalTree.ts', 'src/service/training/custom/scriptProcesses.ts'],
  },
  'a path that is split manually': {
    pattern:
      /\b(?:fsPath|__dirname|__filename|homedir\(\)|tmpdir\(\))(?:\}\/|\s*\+\s*['"`]\/|\.(?:split|lastIndexOf|startsWith|endsWith)\()/,
    reason: 'Use join, dirname, basename or relative of node:path: Windows divides by backslashes.',
    folder: 'src/',
  },
};

describe('the source text', () => {
  const texts = new Map<string, string>();

  before(() => {
    const patterns = ['src', 'webview', 'test', 'scripts', 'bench'].map(
      (folder) => `${folder}/**/*.{ts,mjs,cjs}`,
    );
    const exclude = ['**/node_modules/**', 'src/gen/**', 'test/e2e/{host,fixtures}/**'];
    for (const path of globSync(patterns, { cwd: root, exclude })) {
      texts.set(path.replaceAll('\\', '/'), readFileSync(fromRoot(path), 'utf8'));
    }
    assert(texts.size > 1000);
  });

  for (const [name, { pattern, reason, folder = '', except = [] }] of Object.entries(rules)) {
    it(`does not contain ${name}`, () => {
      const paths = [...texts]
        .filter(([path, text]) => path.startsWith(folder) && pattern.test(text))
        .map(([path]) => path);
      // Also fails if a listed file no longer needs the exemption.
      assert.deepEqual(paths.sort(), [...except].sort(), reason);
    });
  }
});
