import assert from 'node:assert/strict';
import { CommandError } from '../../../../src/service/process/commandError';
import { HELP, parseCommandLine } from '../../../../src/service/process/commandLine';

const parse = (line: string, environment: NodeJS.ProcessEnv = {}) =>
  parseCommandLine(line.split(' ').filter(Boolean), environment);

describe('the command line', () => {
  it('serves on a free port of the loopback by default', () => {
    assert.deepEqual(parse('serve'), {
      kind: 'serve',
      host: '127.0.0.1',
      port: 0,
      dataDirectory: undefined,
      databaseUrl: undefined,
      demo: false,
      ephemeral: false,
      reuse: false,
      tls: undefined,
      allowedHosts: [],
      allowedOrigins: [],
      untilUnusedMs: undefined,
      logLevel: 'info',
    });
  });

  it('takes every option', () => {
    assert.deepEqual(
      parse(
        'serve --host ::1 --port 8080 --data d --database-url postgres://h/db --demo --reuse ' +
          '--tls-cert c --tls-key k --allow-host a --allow-host b --allow-origin https://a.example ' +
          '--until-unused 1.5 --log-level debug',
      ),
      {
        kind: 'serve',
        host: '::1',
        port: 8080,
        dataDirectory: 'd',
        databaseUrl: 'postgres://h/db',
        demo: true,
        ephemeral: false,
        reuse: true,
        tls: { certificateFile: 'c', keyFile: 'k' },
        allowedHosts: ['a', 'b'],
        allowedOrigins: ['https://a.example'],
        untilUnusedMs: 1500,
        logLevel: 'debug',
      },
    );
  });

  it('takes the database URL, which holds a password, from the environment', () => {
    const environment = { FLEETWRIGHT_DATABASE_URL: 'postgres://h/db' };
    const command = parse('serve', environment);
    assert.equal(command.kind === 'serve' && command.databaseUrl, 'postgres://h/db');
    const ephemeral = parse('serve --ephemeral', environment);
    assert.equal(ephemeral.kind === 'serve' && ephemeral.databaseUrl, undefined);
    const unset = parse('serve', { FLEETWRIGHT_DATABASE_URL: '' });
    assert.equal(unset.kind === 'serve' && unset.databaseUrl, undefined);
  });

  it('explains itself, and names every option', () => {
    assert.deepEqual(parse('--help'), { kind: 'help' });
    assert.deepEqual(parse('serve -h'), { kind: 'help' });
    assert.deepEqual(parse('--version'), { kind: 'version' });
    for (const option of ['--data', '--until-unused', '--reuse', '--allow-origin', '--log-level']) {
      assert.ok(HELP.includes(option), option);
    }
  });

  for (const [line, message] of [
    ['', 'a command is missing: serve'],
    ['run', 'unknown command "run"'],
    ['serve again', 'unknown command "again"'],
    ['serve --nope', "unknown option '--nope'"],
    ['serve --port', "option '--port <value>' argument missing"],
    ['serve --port 65536', '--port takes a number from 0 to 65535, not "65536"'],
    ['serve --port -1', "option '--port' argument is ambiguous"],
    ['serve --until-unused 0', '--until-unused takes a number of seconds above 0, not "0"'],
    ['serve --until-unused 2147484', '--until-unused takes at most 2147483 seconds'],
    ['serve --host=', '--host must not be empty'],
    ['serve --data=', '--data must not be empty'],
    ['serve --database-url mysql://h/db', '--database-url takes postgres://'],
    ['serve --database-url=', '--database-url must not be empty'],
    ['serve --tls-cert c', '--tls-cert and --tls-key need each other'],
    ['serve --log-level loud', '--log-level takes one of trace, debug, info, warn, error'],
    ['serve --allow-host http://a', '--allow-host takes a host name, not "http://a"'],
    ['serve --allow-origin a.example', '--allow-origin takes an origin such as https://'],
    ['serve --allow-origin *', '--allow-origin takes an origin such as https://'],
    ['serve --ephemeral --data d', '--ephemeral keeps nothing'],
    ['serve --ephemeral --reuse', '--reuse needs a data directory'],
  ] as const) {
    it(`refuses "${line}"`, () => {
      assert.throws(
        () => parse(line),
        (error) => {
          assert.ok(error instanceof CommandError);
          assert.equal(error.exitCode, 2);
          assert.ok(error.message.startsWith(message), error.message);
          return true;
        },
      );
    });
  }
});
