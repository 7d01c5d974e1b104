// The part of Unity's interface that the package uses, to compile its components. It has no behaviour, except that it
// keeps the last error.
using System;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 up { get { return new Vector3(); } }
        public static Vector3 forward { get { return new Vector3(); } }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return a; }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return a; }
        public static Vector3 operator *(Vector3 a, float b) { return a; }
    }
    public struct Quaternion
    {
        public Quaternion(float x, float y, float z, float w) { }
        public static Quaternion Euler(float x, float y, float z) { return new Quaternion(); }
        public static Vector3 operator *(Quaternion rotation, Vector3 point) { return point; }
    }
    public struct Rect
    {
        public Rect(float x, float y, float width, float height) { }
    }
    public class Object
    {
        public string name { get; set; }
        public static void Destroy(Object what) { }
        public static T Instantiate<T>(T original, Transform parent) where T : Object { return original; }
    }
    public class Component : Object
    {
        public Transform transform { get { return null; } }
        public T GetComponent<T>() { return default(T); }
    }
    public class Behaviour : Component
    {
        public bool enabled { get; set; }
    }
    public class MonoBehaviour : Behaviour { }
    public class Transform : Component
    {
        public Transform parent { get; set; }
        public Vector3 position { get; set; }
        public void SetPositionAndRotation(Vector3 position, Quaternion rotation) { }
    }
    public class Camera : Behaviour { }
    public enum PrimitiveType { Cube }
    public class GameObject : Object
    {
        public Transform transform { get { return null; } }
        public static GameObject CreatePrimitive(PrimitiveType type) { return null; }
    }
    public static class Debug
    {
        public static string LastError = "";
        public static void LogError(object message) { LastError = message.ToString(); }
    }
    public static class Time
    {
        public static float unscaledTime { get { return 0; } }
    }
    public static class Mathf
    {
        public const float Rad2Deg = 57.29578f;
        public static float Clamp(float value, float least, float most) { return value; }
    }
    public enum KeyCode { Space, LeftShift }
    public static class Input
    {
        public static float GetAxis(string name) { return 0; }
        public static float GetAxisRaw(string name) { return 0; }
        public static bool GetKey(KeyCode key) { return false; }
        public static bool GetKeyDown(KeyCode key) { return false; }
    }
    public static class GUI
    {
        public static void Label(Rect place, string text) { }
    }
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type type) { }
    }
}
