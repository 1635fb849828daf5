import { Duration, Stack } from 'aws-cdk-lib';
import { type ISecurityGroup, type IVpc, SubnetType } from 'aws-cdk-lib/aws-ec2';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Cluster,
  ContainerImage,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { type IRole, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { STOP_TIMEOUT } from '../../functions/endpoints/files/upload-server/limits.ts';
import { variables } from '../../functions/environment-names.ts';
import { UPLOAD_PLACES } from '../../functions/fair-shares.ts';
import { metricsNamespace } from '../../functions/telemetry/own-metrics.ts';
import { IMAGE_CONTEXT } from '../bundling/folders.ts';
import { acceptFinding } from '../constructs/accept-finding.ts';
import { asInterface } from '../constructs/as-interface.ts';
import { acceptStreams, type Environment, logGroupOf, logsOf, Role } from '../constructs/program.ts';
import { metricOf } from '../monitoring/cloudwatch.ts';
import { own } from '../monitoring/measures.ts';
import type { StageConfig } from '../stage/config.ts';

export const SERVER_PORT = 8080;

interface UploadServiceProps {
  readonly config: StageConfig;
  readonly vpc: IVpc;
  readonly securityGroup: ISecurityGroup;
  readonly environment: Environment;
}

/** The upload server in containers, with as many tasks as the load needs. */
export class UploadService extends Construct {
  readonly service: FargateService;
  /** The role of the server itself. Another role pulls its image and writes its log. */
  readonly taskRole: IRole;

  constructor(scope: Construct, id: string, { config, vpc, securityGroup, environment }: UploadServiceProps) {
    super(scope, id);
    const task = this.#task(config, environment);
    this.taskRole = task.taskRole;
    this.service = new FargateService(this, 'Service', {
      cluster: asInterface<ICluster>(this.#cluster(vpc)),
      taskDefinition: task,
      // A public address instead of a NAT gateway at nine times the price; the security group lets nothing in through it.
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      assignPublicIp: config.vpc?.publicAddresses ?? true,
      securityGroups: [securityGroup],
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      healthCheckGracePeriod: Duration.seconds(30),
      circuitBreaker: { rollback: true },
    });
    this.#scale(config);
  }

  #task(config: StageConfig, environment: Environment): FargateTaskDefinition {
    const assumedBy = new ServicePrincipal('ecs-tasks.amazonaws.com');
    const executionRole = new Role(this, 'ExecutionRole', { assumedBy });
    const task = new FargateTaskDefinition(this, 'Task', {
      taskRole: new Role(this, 'TaskRole', { assumedBy }),
      executionRole,
      cpu: 256,
      memoryLimitMiB: 512,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    });
    const logGroup = logGroupOf(this, 'upload-server', config);
    task.node.addDependency(logsOf(this));
    acceptFinding(task, 'ECS2', 'Names of tables and buckets are no secrets');
    acceptFinding(executionRole, 'IAM5[Resource::*]', 'ECR knows no narrower resource for its login');
    acceptStreams(executionRole, logGroup);
    task.addContainer('Server', {
      image: serverImage(config),
      portMappings: [{ containerPort: SERVER_PORT }],
      environment: {
        POWERTOOLS_SERVICE_NAME: 'upload-server',
        POWERTOOLS_LOG_LEVEL: config.logLevel,
        [variables.metricsNamespace]: metricsNamespace(config.name),
        // Lambda sets it for functions; not every platform of Fargate does.
        [variables.awsRegion]: Stack.of(this).region,
        HOST: '0.0.0.0',
        PORT: String(SERVER_PORT),
        ...environment,
      },
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix: 'upload-server' }),
      readonlyRootFilesystem: true,
      // The maximum of ECS; the server itself ends a little earlier.
      stopTimeout: Duration.millis(STOP_TIMEOUT + 10_000),
    });
    return task;
  }

  #cluster(vpc: IVpc): Cluster {
    const cluster = new Cluster(this, 'Cluster', { vpc });
    acceptFinding(
      cluster,
      'ECS4',
      'Container Insights is billed by metric; load, places and health are measured without it',
    );
    return cluster;
  }

  #scale({ uploadTasks, name }: StageConfig): void {
    const count = this.service.autoScaleTaskCount({
      minCapacity: uploadTasks.min,
      maxCapacity: uploadTasks.max,
    });
    const scaleInCooldown = Duration.minutes(10);
    count.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 60, scaleInCooldown });
    // An upload occupies a slot however slowly it arrives, and slow uploads raise neither CPU nor memory.
    count.scaleToTrackCustomMetric('Places', {
      metric: metricOf(own(name, 'UploadsInProgress', { statistic: 'Average' }), 1),
      targetValue: UPLOAD_PLACES / 2,
      scaleInCooldown,
    });
    count.scaleOnMemoryUtilization('Memory', { targetUtilizationPercent: 70, scaleInCooldown });
  }
}

function serverImage({ uploadBaseImage }: StageConfig): ContainerImage {
  return ContainerImage.fromAsset(IMAGE_CONTEXT, {
    platform: Platform.LINUX_ARM64,
    ...(uploadBaseImage === undefined ? {} : { buildArgs: { BASE_IMAGE: uploadBaseImage } }),
  });
}
