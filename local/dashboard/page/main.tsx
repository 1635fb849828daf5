import './main.css';
import { render } from 'preact';
import { Dashboards } from './dashboards.tsx';

const root = document.getElementById('dashboards');
if (root !== null) render(<Dashboards />, root);
