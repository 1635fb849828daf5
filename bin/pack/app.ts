import { App } from 'aws-cdk-lib';
import { addStage, stageOf } from '../../lib/genway-stack.ts';

// The app in the package that `npm run pack:cdk` makes. All that it deploys is built already.
const app = new App();
addStage(app, stageOf(app));
app.synth();
