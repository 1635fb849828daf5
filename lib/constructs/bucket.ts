import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import {
  Bucket as AwsBucket,
  BlockPublicAccess,
  BucketEncryption,
  type BucketProps,
  type CorsRule,
  HttpMethods,
  type LifecycleRule,
  ObjectLockRetention,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct, DependencyGroup } from 'constructs';
import type { StageConfig } from '../stage/config.ts';
import { acceptFinding, acceptWildcard } from './accept-finding.ts';
import { allowThrough, dataKeyOf } from './own-keys.ts';
import { type Capability, combine, type Variable } from './program.ts';
import { removalOf } from './removal.ts';

interface StageBucketProps {
  readonly config: StageConfig;
  /** The variable that tells programs the bucket's name. */
  readonly variable: Variable;
  /** How long objects below a prefix are kept. @default until they are deleted */
  readonly expireAfter?: Readonly<Record<string, Duration>>;
  /** How long nobody can change or delete an object. Such a bucket outlives its stack. @default not at all */
  readonly lockedFor?: Duration;
  /** Whose accesses a deployer's bucket logs, in a folder of that name. @default the part of the stage that has the bucket */
  readonly logFolder?: string;
}

/** Also removes delete markers that no longer hide a version. */
function versionsLife({ objectVersionDays }: StageConfig): LifecycleRule[] {
  if (objectVersionDays === 0) return [];
  return [
    {
      noncurrentVersionExpiration: Duration.days(objectVersionDays),
      expiredObjectDeleteMarker: true,
    },
  ];
}

const locked = (period: Duration | undefined): BucketProps =>
  period === undefined
    ? {}
    : {
        objectLockDefaultRetention: ObjectLockRetention.compliance(period),
        versioned: true,
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      };

/** A page of any origin may read what a signed link points to: the link is the permission. */
const READABLE_BY_SCRIPTS: CorsRule = {
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedOrigins: ['*'],
  allowedHeaders: ['*'],
  exposedHeaders: ['content-length', 'content-range', 'content-disposition', 'accept-ranges', 'etag'],
  maxAge: 86_400,
};

/** What reads or writes the bytes of an object. */
const USES_KEY = ['s3:GetObject', 's3:PutObject'];

/** Where S3 logs who asks for objects, if the deployer brings a bucket for that. */
function logged(scope: Construct, id: string, { own }: StageConfig, folder: string): BucketProps {
  if (own.accessLogBucket === undefined) return {};
  return {
    serverAccessLogsBucket: AwsBucket.fromBucketName(scope, `${id}AccessLogs`, own.accessLogBucket),
    serverAccessLogsPrefix: `${Stack.of(scope).stackName}/${folder}/`,
  };
}

/** The base of all our buckets: private, encrypted, TLS only; parts of unfinished uploads are deleted. */
export class Bucket extends AwsBucket {
  /** Whatever empties it before its deletion. It comes after all writers are gone, because these depend on it. */
  readonly emptied = new DependencyGroup();
  readonly #variable: Variable;

  constructor(
    scope: Construct,
    id: string,
    { config, variable, expireAfter = {}, lockedFor, logFolder = scope.node.id }: StageBucketProps,
  ) {
    const key = dataKeyOf(scope, id, config);
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      ...(key === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }),
      ...logged(scope, id, config, logFolder),
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      cors: [READABLE_BY_SCRIPTS],
      removalPolicy: removalOf(config),
      versioned: config.objectVersionDays > 0,
      ...locked(lockedFor),
      lifecycleRules: [
        ...versionsLife(config),
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...Object.entries(expireAfter).map(([prefix, expiration]) => ({ prefix, expiration })),
      ],
    });
    this.#variable = variable;
    acceptFinding(
      this,
      'S1',
      'Only our own functions reach it, and each request that they serve is logged with its key',
    );
  }

  get reader(): Capability {
    return this.readerBelow('');
  }

  get writer(): Capability {
    return this.writerBelow('');
  }

  get uploader(): Capability {
    return this.uploaderBelow('');
  }

  get remover(): Capability {
    return this.removerBelow('');
  }

  /** The right to find and delete objects without reading them. */
  get purger(): Capability {
    return this.purgerBelow('');
  }

  /** To delete only what is below the prefix; S3 names all that it lists, so a name says no more than that. */
  purgerBelow(prefix: string): Capability {
    return combine(this.removerBelow(prefix), this.lister);
  }

  /** The right to find out which objects there are. */
  get lister(): Capability {
    return {
      environment: {},
      grant: (grantee) => {
        Grant.addToPrincipal({ grantee, actions: ['s3:ListBucket'], resourceArns: [this.bucketArn] });
      },
    };
  }

  /** The right to delete all objects and all their kept versions. */
  get emptier(): Capability {
    const list: Capability = {
      environment: {},
      grant: (grantee) => {
        const actions = ['s3:ListBucketVersions'];
        Grant.addToPrincipal({ grantee, actions, resourceArns: [this.bucketArn] });
      },
    };
    const remove = ['s3:DeleteObject', 's3:DeleteObjectVersion'];
    return combine(list, { ...this.#allowing(remove), environment: {} });
  }

  readerBelow(prefix: string): Capability {
    return this.#allowing(['s3:GetObject'], prefix);
  }

  /** To write objects whose keys begin so, each in one request. */
  writerBelow(prefix: string): Capability {
    return this.#allowing(['s3:PutObject'], prefix);
  }

  /** To write them in parts too, and to give up an upload of which some have arrived. */
  uploaderBelow(prefix: string): Capability {
    return this.#allowing(['s3:PutObject', 's3:AbortMultipartUpload'], prefix);
  }

  removerBelow(prefix: string): Capability {
    return this.#allowing(['s3:DeleteObject'], prefix);
  }

  /** Fewer rights than CDK's grants, which also allow the bucket's settings, its list and its objects' locks. */
  #allowing(actions: string[], prefix = ''): Capability {
    return {
      environment: { [this.#variable]: this.bucketName },
      grant: (grantee) => {
        const objects = this.arnForObjects(`${prefix}*`);
        Grant.addToPrincipal({ grantee, actions, resourceArns: [objects] });
        if (actions.some((action) => USES_KEY.includes(action)))
          allowThrough('s3', this.encryptionKey, grantee);
        const { grantPrincipal } = grantee;
        if (Construct.isConstruct(grantPrincipal) && actions.includes('s3:PutObject'))
          grantPrincipal.node.addDependency(this.emptied);
        const reason = 'Objects are named by ids, so that a grant can name their prefix at best';
        acceptWildcard(grantee, objects, reason);
      },
    };
  }
}
