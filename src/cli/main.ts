import { version } from '../../package.json';
import { DiskBuilds } from '../archives/diskBuilds';
import { isCanceled, toFleetError } from '../core/api/errors';
import { oneLine } from '../core/model/displayText';
import { englishLocalizer } from '../base/localizer';
import { build } from './build';
import { type Command, parseCommandLine, UsageError } from './commandLine';
import { connector } from './connect';
import { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, type Output, printJson, reportError } from './report';
import { upload } from './upload';
import { validate } from './validate';
import { validateConfigs } from './validateConfigs';

const output: Output = {
  result: (text) => process.stdout.write(`${oneLine(text)}\n`),
  say: (sentence) => process.stderr.write(`${oneLine(sentence)}\n`),
};

async function run(command: Command, signal: AbortSignal): Promise<number> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(command.text);
      return EXIT_DONE;
    case 'version':
      output.result(version);
      return EXIT_DONE;
    case 'build':
      return build(command, process.env, output, signal);
    case 'validate':
      return validate(command, output, new DiskBuilds(englishLocalizer), signal);
    case 'validateConfig':
      return validateConfigs(command, output);
    case 'mcp': {
      // Other commands don't need the protocol.
      const { serveMcp } = await import('./mcp/serveMcp');
      return serveMcp(command, output, connector(process.env), signal);
    }
    case 'upload': {
      const deps = { connect: connector(process.env), reader: new DiskBuilds(englishLocalizer) };
      return upload(command, output, deps, signal);
    }
  }
}

/** Reports why a command failed. @returns the exit code. */
function failed(error: unknown, json: boolean): number {
  if (error instanceof UsageError) {
    if (json) printJson(output, { ok: false, error: { kind: 'usage', message: error.message } });
    output.say(`fleetwright: ${error.message}. Run with --help for usage.`);
    return EXIT_USAGE;
  }
  const { kind, message } = toFleetError(error);
  reportError(output, { kind, message: isCanceled(error) ? 'Canceled.' : message }, json);
  return EXIT_FAILED;
}

async function main(args: readonly string[]): Promise<void> {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => stopping.abort());
  }
  try {
    process.exitCode = await run(parseCommandLine(args), stopping.signal);
  } catch (error) {
    // With `--json`, an invalid command line is also reported as JSON.
    process.exitCode = failed(error, args.includes('--json'));
  }
}

void main(process.argv.slice(2));
