import assert from 'node:assert/strict';
import { CommandError } from '../../../../src/service/files/commandError';
import { HELP, parseCommandLine } from '../../../../src/service/process/commandLine';
import { SIMULATE_HELP } from '../../../../src/service/process/simulateOptions';

const parse = (line: string, environment: NodeJS.ProcessEnv = {}) =>
  parseCommandLine(line.split(' ').filter(Boolean), environment);

describe('the command line', () => {
  it('serves on a free loopback port by default', () => {
    assert.deepEqual(parse('serve'), {
      kind: 'serve',
      objects: undefined,
      host: '127.0.0.1',
      port: 0,
      dataDirectory: undefined,
      databaseUrl: undefined,
      secretsKey: { kind: 'default' },
      nats: undefined,
      roles: undefined,
      demo: false,
      demoMachines: 'alive',
      logLimits: { days: undefined, bytes: undefined },
      hotReadingsDays: undefined,
      ephemeral: false,
      reuse: false,
      tls: undefined,
      mongo: { host: '127.0.0.1', port: 0 },
      allowedHosts: [],
      allowedOrigins: [],
      trustedProxies: [],
      connectionLimits: { total: 10_000, perAddress: 2_000 },
      mail: { smtp: undefined, from: 'Fleetwright <no-reply@localhost>', publicUrl: undefined },
      training: { allowsScripts: false, jobs: undefined },
      idleTimeoutMs: undefined,
      rateLimits: { perKey: undefined, perAddress: undefined },
      maxFailedSignIns: 10,
      shutdownDelayMs: undefined,
      metrics: undefined,
      logLevel: 'info',
    });
  });

  it('accepts every option', () => {
    assert.deepEqual(
      parse(
        'serve --host ::1 --port 8080 --data d --database-url postgres://h/db --secrets-key-file k --demo --demo-machines still --reuse ' +
          '--objects s3://fleet.data/team/a/?endpoint=http://127.0.0.1:9000&region=eu --objects-cache-size 1.5GiB --objects-public-endpoint https://s3.example.com/ ' +
          '--role api --role query --nats-url nats://10.0.0.2:1 ' +
          '--hot-readings-days 90 --keep-logs-days 1.5 --keep-logs-mib 512 ' +
          '--tls-cert c --tls-key k --allow-host a --allow-host b --allow-origin https://a.example ' +
          '--trusted-proxy 10.0.0.0/8 --trusted-proxy ::1 --max-connections 500 --rate-limit-per-key 20 --rate-limit-per-address 0 --max-failed-sign-ins 3 --mongo-host 10.0.0.1 --mongo-port 27017 --metrics-port 9464 --smtp-url smtp://mail.example --mail-from fleet@a.example --public-url https://a.example/ ' +
          '--allow-custom-training --training-jobs 2 --until-unused 1.5 --shutdown-delay 20 --log-level debug',
      ),
      {
        kind: 'serve',
        host: '::1',
        port: 8080,
        dataDirectory: 'd',
        databaseUrl: 'postgres://h/db',
        secretsKey: { kind: 'file', path: 'k' },
        objects: {
          location: {
            bucket: 'fleet.data',
            prefix: 'team/a/',
            endpoint: 'http://127.0.0.1:9000',
            region: 'eu',
            usesPathStyle: true,
            url: 's3://fleet.data/team/a/?endpoint=http://127.0.0.1:9000&region=eu',
          },
          cacheBytes: 1536 * 1024 * 1024,
          publicEndpoint: 'https://s3.example.com',
        },
        nats: {
          host: '10.0.0.2:1',
          usesTls: false,
          user: undefined,
          password: undefined,
          token: undefined,
        },
        roles: ['query'],
        demo: true,
        demoMachines: 'still',
        logLimits: { days: 1.5, bytes: 512 * 1024 * 1024 },
        hotReadingsDays: 90,
        ephemeral: false,
        reuse: true,
        tls: { certificateFile: 'c', keyFile: 'k' },
        mongo: { host: '10.0.0.1', port: 27017 },
        metrics: { host: '127.0.0.1', port: 9464 },
        allowedHosts: ['a', 'b'],
        allowedOrigins: ['https://a.example'],
        trustedProxies: ['10.0.0.0/8', '::1'],
        connectionLimits: { total: 500, perAddress: 500 },
        rateLimits: { perKey: 20, perAddress: undefined },
        maxFailedSignIns: 3,
        mail: {
          smtp: { host: 'mail.example', port: 587, secure: false, auth: undefined },
          from: 'fleet@a.example',
          publicUrl: 'https://a.example',
        },
        training: { allowsScripts: true, jobs: 2 },
        idleTimeoutMs: 1500,
        shutdownDelayMs: 20_000,
        logLevel: 'debug',
      },
    );
  });

  it('moves old readings only where all services can read the files', () => {
    const readDays = (options: string) => {
      const command = parse(`serve ${options}`);
      return command.kind === 'serve' ? command.hotReadingsDays : undefined;
    };
    assert.equal(readDays(''), undefined);
    assert.equal(readDays('--hot-readings-days 1'), 1);
    assert.equal(readDays('--hot-readings-days 7 --objects s3://fleet'), 7);
    assert.equal(
      readDays('--hot-readings-days 7 --objects s3://fleet --database-url postgres://h/d'),
      7,
    );
    for (const days of ['0', '40000', '1.5', 'x']) {
      assert.throws(() => readDays(`--hot-readings-days ${days}`), /number from 1 to 36500/);
    }
    for (const options of ['', '--objects files']) {
      assert.throws(
        () => readDays(`--hot-readings-days 7 --database-url postgres://h/d ${options}`),
        /--hot-readings-days with --database-url needs --objects s3:/,
      );
    }
    assert.throws(() => readDays('--hot-readings-days 7 --ephemeral'), /can't be combined/);
  });

  it("stores fewer logs of the demo fleet's machines by default", () => {
    const parseLogBytes = (options: string) => {
      const command = parse(`serve ${options}`);
      return command.kind === 'serve' ? command.logLimits.bytes : undefined;
    };
    assert.equal(parseLogBytes('--demo'), 256 * 1024 * 1024);
    assert.equal(parseLogBytes('--demo --keep-logs-mib 1'), 1024 * 1024);
  });

  it('rejects invalid limits of logs and modes of demo machines', () => {
    for (const wrong of ['--keep-logs-days 0', '--keep-logs-mib -1', '--keep-logs-days soon']) {
      assert.throws(() => parse(`serve ${wrong}`), CommandError);
    }
    assert.throws(() => parse('serve --demo-machines asleep'), /alive or still, not "asleep"/);
  });

  it('rejects proxies without an address', () => {
    for (const network of ['proxy', '10.0.0.0/40']) {
      assert.throws(
        () => parse(`serve --trusted-proxy ${network}`),
        new RegExp(`--trusted-proxy must be an IP address or a network.*"${network}"`),
      );
    }
  });

  it('accepts MongoDB clients from other machines only with an option', () => {
    const parseMongo = (options: string) => {
      const command = parse(`serve ${options}`);
      return command.kind === 'serve' ? command.mongo : undefined;
    };
    assert.deepEqual(parseMongo('--host localhost'), { host: 'localhost', port: 0 });
    assert.equal(parseMongo('--host 0.0.0.0'), undefined);
    assert.deepEqual(parseMongo('--host :: --mongo-port 1'), { host: '::', port: 1 });
    assert.deepEqual(parseMongo('--host :: --mongo-host ::1'), { host: '::1', port: 0 });
  });

  it('reads the database URL, which contains a password, from the environment', () => {
    const environment = { FLEETWRIGHT_DATABASE_URL: 'postgres://h/db' };
    const command = parse('serve', environment);
    assert.equal(command.kind === 'serve' && command.databaseUrl, 'postgres://h/db');
    const ephemeral = parse('serve --ephemeral', environment);
    assert.equal(ephemeral.kind === 'serve' && ephemeral.databaseUrl, undefined);
    const unset = parse('serve', { FLEETWRIGHT_DATABASE_URL: '' });
    assert.equal(unset.kind === 'serve' && unset.databaseUrl, undefined);
  });

  it('reads the location of the secrets key from options before the environment', () => {
    const environment = { FLEETWRIGHT_SECRETS_KEY: 'text' };
    const parseKeySource = (line: string) => {
      const command = parse(line, environment);
      return 'secretsKey' in command && command.secretsKey;
    };
    assert.deepEqual(parseKeySource('serve'), { kind: 'environment', text: 'text' });
    assert.deepEqual(parseKeySource('serve --secrets-key-file f'), { kind: 'file', path: 'f' });
    assert.deepEqual(parseKeySource('rotate-secrets-key --secrets-key-file f'), {
      kind: 'file',
      path: 'f',
    });
    assert.deepEqual(parseKeySource('backup --to b --secrets-key-command c'), {
      kind: 'command',
      program: 'c',
    });
  });

  it('reads the source and target of a backup', () => {
    const environment = { FLEETWRIGHT_DATABASE_URL: 'postgres://h/db' };
    assert.deepEqual(parse('backup --data d --to b', environment), {
      kind: 'backup',
      dataDirectory: 'd',
      databaseUrl: 'postgres://h/db',
      target: 'b',
      secretsKey: { kind: 'default' },
      includesSecretsKey: false,
    });
    assert.deepEqual(parse('restore --from b --database-url postgres://h/new'), {
      kind: 'restore',
      dataDirectory: undefined,
      backup: 'b',
      databaseUrl: 'postgres://h/new',
      secretsKey: { kind: 'default' },
    });
    assert.equal(parse('backup --help').kind, 'help');
    assert.equal(parse('restore -h').kind, 'help');
  });

  it('reads the address of the mail server, which contains a password, from the environment', () => {
    const parseMail = (line: string, url: string) => {
      const command = parse(line, { FLEETWRIGHT_SMTP_URL: url });
      return command.kind === 'serve' ? command.mail : undefined;
    };
    assert.deepEqual(parseMail('serve', 'smtps://us%40er:p%2Fw@[::1]:25')?.smtp, {
      host: '::1',
      port: 25,
      secure: true,
      auth: { user: 'us@er', pass: 'p/w' },
    });
    assert.equal(
      parseMail('serve --smtp-url smtp://b.example', 'smtps://a')?.smtp?.host,
      'b.example',
    );
    assert.equal(parseMail('serve', 'smtps://a')?.smtp?.port, 465);
    assert.equal(parseMail('serve', '')?.smtp, undefined);
  });

  it('reads the roles of a node, and the NATS server, which holds a password', () => {
    const parseNode = (line: string, url = '') => {
      const command = parse(`serve --database-url postgres://h/f ${line}`, {
        FLEETWRIGHT_NATS_URL: url,
      });
      return command.kind === 'serve' ? command : undefined;
    };
    assert.equal(parseNode('')?.roles, undefined);
    assert.deepEqual(parseNode('--role all')?.roles, ['query', 'train']);
    assert.deepEqual(parseNode('--role api')?.roles, []);
    assert.deepEqual(parseNode('--role api,train')?.roles, ['train']);
    assert.deepEqual(parseNode('--role train --role query')?.roles, ['train', 'query']);
    assert.deepEqual(parseNode('', 'nats://fleet:p%40ss@nats.example')?.nats, {
      host: 'nats.example:4222',
      usesTls: false,
      user: 'fleet',
      password: 'p@ss',
      token: undefined,
    });
    assert.deepEqual(parseNode('--nats-url tls://t0ken@[::1]:1')?.nats, {
      host: '[::1]:1',
      usesTls: true,
      user: undefined,
      password: undefined,
      token: 't0ken',
    });
    assert.throws(() => parseNode('--role api,admin'), /--role must be all, api, .*"admin"/);
    assert.throws(() => parse('serve --role api'), /--role needs --database-url/);
    assert.throws(() => parse('serve --nats-url nats://h'), /--nats-url needs --database-url/);
    for (const url of ['http://u:secret@h', 'nats://u:secret%@h', 'nats://secret%zz@h']) {
      assert.throws(
        () => parseNode(`--nats-url ${url}`),
        ({ message }: Error) =>
          message.includes('--nats-url must be') && !message.includes('secret'),
      );
    }
  });

  it('sends messages from the public host if that has a name', () => {
    const parseSender = (url: string) => {
      const command = parse(`serve --public-url ${url}`);
      return command.kind === 'serve' && command.mail.from;
    };
    assert.equal(parseSender('https://fleet.example:8443'), 'Fleetwright <no-reply@fleet.example>');
    assert.equal(parseSender('http://10.0.0.1:80'), 'Fleetwright <no-reply@localhost>');
    assert.equal(parseSender('http://[::1]:80'), 'Fleetwright <no-reply@localhost>');
  });

  it('never repeats the password of an invalid mail server address', () => {
    for (const url of ['smtp://u:secret%ZZ@h', 'http://u:secret@h', 'smtp://u:secret@h/?a=b']) {
      assert.throws(
        () => parse(`serve --smtp-url ${url}`),
        (error) => error instanceof CommandError && !error.message.includes('secret'),
      );
    }
  });

  it('prints help with every option', () => {
    assert.deepEqual(parse('--help'), { kind: 'help', text: HELP });
    assert.deepEqual(parse('serve -h'), { kind: 'help', text: HELP });
    assert.deepEqual(parse('simulate --help'), { kind: 'help', text: SIMULATE_HELP });
    assert.deepEqual(parse('--version'), { kind: 'version' });
    for (const option of ['--data', '--until-unused', '--reuse', '--allow-origin', '--smtp-url']) {
      assert.ok(HELP.includes(option), option);
    }
  });

  it('accepts the default of the shutdown delay', () => {
    const command = parse('serve --shutdown-delay 0');
    assert.ok(command.kind === 'serve' && command.shutdownDelayMs === undefined);
  });

  for (const [line, message] of [
    ['', 'a command is missing: serve, simulate, backup, restore, verify, or rotate-secrets-key'],
    ['run', 'unknown command "run"'],
    ['serve again', 'unknown command "again"'],
    ['simulate --machines many', '--machines must be a number from 0 to 1000, not "many"'],
    ['simulate again', 'unexpected argument'],
    ['serve --nope', "unknown option '--nope'"],
    ['serve --port', "option '--port <value>' argument missing"],
    ['serve --port 65536', '--port must be a number from 0 to 65535, not "65536"'],
    ['serve --port -1', "option '--port' argument is ambiguous"],
    ['serve --mongo-port x', '--mongo-port must be a number from 0 to 65535, not "x"'],
    ['serve --mongo-host=', '--mongo-host must not be empty'],
    [
      'serve --until-unused 0',
      '--until-unused must be a number of seconds greater than 0, not "0"',
    ],
    ['serve --until-unused 2147484', '--until-unused must be at most 2147483 seconds'],
    [
      'serve --rate-limit-per-key=-1',
      '--rate-limit-per-key must be a number from 1 to 1000000, or 0 for no limit, not "-1"',
    ],
    ['serve --host=', '--host must not be empty'],
    ['serve --data=', '--data must not be empty'],
    ['serve --database-url mysql://h/db', '--database-url must be postgres://'],
    ['serve --database-url=', '--database-url must not be empty'],
    ['serve --tls-cert c', '--tls-cert and --tls-key must be used together'],
    ['serve --log-level loud', '--log-level must be one of trace, debug, info, warn, error'],
    ['serve --allow-host http://a', '--allow-host must be a host name, not "http://a"'],
    ['serve --allow-origin a.example', '--allow-origin must be an origin such as https://'],
    ['serve --allow-origin *', '--allow-origin must be an origin such as https://'],
    ['serve --smtp-url mail.example', '--smtp-url must be smtp://user:password@host:port'],
    ['serve --smtp-url=', '--smtp-url must not be empty'],
    ['serve --mail-from a.example', '--mail-from must be an address'],
    ['serve --mail-from a@b,c@d', '--mail-from must be an address'],
    ['serve --public-url a.example', '--public-url must be an address without a path'],
    ['serve --public-url https://a.example/x', '--public-url must be an address without a path'],
    ['serve --public-url https://u@a.example', '--public-url must be an address without a path'],
    ['serve --max-connections 0', '--max-connections must be a number from 1 to 1000000, not "0"'],
    ['serve --training-jobs 0', '--training-jobs must be a number from 1 to 16, not "0"'],
    ['serve --training-jobs 1.5', '--training-jobs must be a number from 1 to 16, not "1.5"'],
    ['serve --objects http://bucket/prefix', '--objects must be s3://BUCKET/PREFIX'],
    ['serve --objects s3://B', '--objects must name a bucket'],
    ['serve --objects s3://bucket/50%', '--objects must encode "%" as %25'],
    ['serve --objects s3://key:secret@bucket', '--objects must not contain credentials'],
    ['serve --objects s3://bucket?endpoint=localhost', '--objects must have an endpoint such as'],
    [
      'serve --objects s3://bucket?endpoint=https://key:secret@s3.example.com',
      '--objects must have an endpoint such as',
    ],
    ['serve --objects s3://bucket?style=path', '--objects has the unknown parameter "style"'],
    ['serve --objects s3://bucket --objects-cache-size 10', '--objects-cache-size must be a size'],
    [
      'serve --objects s3://bucket --objects-public-endpoint http://s3.example.com',
      '--objects-public-endpoint must be the address of the S3 server',
    ],
    [
      'serve --objects s3://bucket --objects-public-endpoint https://s3.example.com/path',
      '--objects-public-endpoint must be the address of the S3 server',
    ],
    [
      'serve --objects-public-endpoint https://s3.example.com',
      '--objects-public-endpoint needs --objects',
    ],
    ['serve --objects-cache-size 10GiB', '--objects-cache-size needs --objects'],
    ['serve --ephemeral --objects s3://bucket', '--ephemeral stores nothing'],
    ['serve --ephemeral --data d', '--ephemeral stores nothing'],
    ['backup', '--to FOLDER is missing'],
    ['backup --to=', '--to FOLDER is missing'],
    ['backup --to b --data=', '--data must not be empty'],
    ['backup --to b --database-url mysql://h/db', '--database-url must be postgres://'],
    ['restore --data d', '--from FOLDER is missing'],
    ['restore b', 'unexpected argument'],
    ['verify now', 'unexpected argument'],
    ['verify --data=', '--data must not be empty'],
    ['verify --objects bucket', '--objects must be s3://BUCKET/PREFIX'],
    ['serve --secrets-key-file=', '--secrets-key-file must not be empty'],
    ['backup --to b --secrets-key-command=', '--secrets-key-command must not be empty'],
    ['serve --secrets-key-file f --secrets-key-command c', '--secrets-key-file and'],
    ['rotate-secrets-key now', 'unexpected argument'],
    ['serve --ephemeral --reuse', '--reuse needs a data directory'],
  ] as const) {
    it(`rejects "${line}"`, () => {
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
