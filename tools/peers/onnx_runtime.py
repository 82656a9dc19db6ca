"""Dot-product attention for ONNX Runtime: written out, and with its fused operator."""

import math

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

from models import HEADS, WIDTH


def constant(name, *shape):
    return numpy_helper.from_array(np.random.default_rng(0).normal(0, 0.02, shape).astype(np.float32), name)


def linear(nodes, constants, x, name, width=WIDTH):
    constants += [constant("W" + name, WIDTH, width), constant("b" + name, width)]
    nodes += [helper.make_node("MatMul", [x, "W" + name], ["m" + name]),
              helper.make_node("Add", ["m" + name, "b" + name], [name])]
    return name


def session(nodes, constants, n):
    shape = [1, n, WIDTH]
    graph = helper.make_graph(nodes, "attention", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    model.ir_version = 9
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    s = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    x = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    return lambda: s.run(None, {"x": x})


def plain(n):
    nodes, constants = [], [numpy_helper.from_array(np.array([0, 0, HEADS, WIDTH // HEADS]), "heads"),
                            numpy_helper.from_array(np.array([0, 0, WIDTH]), "joined"),
                            numpy_helper.from_array(np.array(math.sqrt(WIDTH // HEADS), np.float32), "root")]
    for name, order in ("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3]):
        linear(nodes, constants, "x", name)
        nodes += [helper.make_node("Reshape", [name, "heads"], [name + "4"]),
                  helper.make_node("Transpose", [name + "4"], [name + "h"], perm=order)]
    nodes += [helper.make_node("MatMul", ["qh", "kh"], ["s"]), helper.make_node("Div", ["s", "root"], ["scores"]),
              helper.make_node("Softmax", ["scores"], ["a"], axis=-1), helper.make_node("MatMul", ["a", "vh"], ["mix"]),
              helper.make_node("Transpose", ["mix"], ["mixt"], perm=[0, 2, 1, 3]),
              helper.make_node("Reshape", ["mixt", "joined"], ["mixed"])]
    linear(nodes, constants, "mixed", "y")
    return session(nodes, constants, n)


def fused(n):
    nodes, constants = [], []
    for name in "qkv":
        linear(nodes, constants, "x", name)
    nodes.append(helper.make_node("MultiHeadAttention", ["q", "k", "v"], ["mixed"], domain="com.microsoft", num_heads=HEADS))
    linear(nodes, constants, "mixed", "y")
    return session(nodes, constants, n)


def attention(n):
    return [("ort", plain(n)), ("ort-fused", fused(n))]
